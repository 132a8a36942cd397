package bolt

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
)

// bucketNamed gives the kind whose bucket has the name, kindCount if none has.
func bucketNamed(name []byte) kind {
	k := kindMeta
	for k < kindCount && !bytes.Equal(buckets[k].name, name) {
		k++
	}
	return k
}

// element is one of a page.
type element struct {
	key, value []byte
	child      uint64 // of a branch
}

// elements gives the elements of a page, whether they are those of a branch, and
// what is wrong with the page's form. If its type is, the form says what it is.
func elements(b []byte) (list []element, branch bool, complaint string) {
	flags := binary.NativeEndian.Uint16(b[8:])
	list, complaint = elementsOf(b, flags == flagBranch)
	if complaint == "" && flags == flagBranch || complaint == "" && flags == flagLeaf {
		return list, flags == flagBranch, ""
	}
	if other, worse := elementsOf(b, flags != flagBranch); worse == "" && len(other) > 0 {
		return other, flags != flagBranch, fmt.Sprintf("has the type %d", flags)
	}
	return list, flags == flagBranch, cmp.Or(complaint, fmt.Sprintf("has the type %d", flags))
}

// elementsOf gives the elements that are inside the page.
func elementsOf(b []byte, branch bool) (list []element, complaint string) {
	count := int(binary.NativeEndian.Uint16(b[10:]))
	room := (len(b) - pageHeader) / elementLen
	if room > 0 { // the first element's place tells the number too
		start, _, _, _ := elementAt(b, 0, branch)
		if n := (start - pageHeader) / elementLen; n != count || start%elementLen != 0 {
			complaint = fmt.Sprintf("has %d elements, and room for %d", count, n)
			count = max(count, min(n, 1<<16-1))
		}
	}
	end := 0
	for i := range min(count, room) {
		start, split, stop, child := elementAt(b, i, branch)
		inside := start < split && stop <= len(b)
		if !inside || end > 0 && start != end {
			complaint = fmt.Sprintf("element %d is out of place", i)
		}
		if inside {
			end = stop
			list = append(list, element{key: b[start:split:split], value: b[split:stop:stop], child: child})
		}
	}
	return list, complaint
}

// elementAt gives where an element's key begins, its value begins and ends, and
// the page to which that of a branch leads.
func elementAt(b []byte, i int, branch bool) (start, split, stop int, child uint64) {
	at := pageHeader + i*elementLen
	u, e := binary.NativeEndian, b[at:at+elementLen]
	if branch {
		start, child = at+int(u.Uint32(e)), u.Uint64(e[8:])
		split = start + int(u.Uint32(e[4:]))
		return start, split, split, child
	}
	start = at + int(u.Uint32(e[4:]))
	split = start + int(u.Uint32(e[8:]))
	return start, split, split + int(u.Uint32(e[12:])), 0
}
