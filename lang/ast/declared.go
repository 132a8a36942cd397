package ast

// Declared is the name that an item gives to something, and the text of its `///`
// comment without the marks, "" for none. The name is empty if it could not be
// read; ok is false of items of a kind that has none.
func Declared(it Item) (name Word, doc string, ok bool) {
	switch it := it.(type) {
	case *Workflow:
		return it.Name, it.Doc, true
	case *TypeDecl:
		return it.Name, it.Doc, true
	case *EventDecl:
		return it.Name, it.Doc, true
	case *FnDecl:
		return it.Name, it.Doc, true
	case *State:
		return it.Name, it.Doc, true
	case *Step:
		return it.Name, it.Doc, true
	case *Command:
		return it.Name, it.Doc, true
	case *Query:
		return it.Name, it.Doc, true
	case *SignalDecl:
		return it.Name, it.Doc, true
	case *Tool:
		return it.Name, it.Doc, true
	}
	return Word{}, "", false
}
