package checker

import "github.com/wf-lang/wf/lang/source"

// Features are the parts of the language that can be refused by name.
func Features() []string {
	return []string{
		"agent", "test", "entity", "command", "init", "finally", "timeout", "retry", "else",
		"parallel first", "parallel settle", "parallel for", "select", "perform once",
	}
}

// NotYet reports whether this version of the run time cannot run a feature.
// Whoever teaches it one takes its name out of this list.
func NotYet(feature string) bool {
	switch feature {
	case "agent", "test", "entity", "command", "init", "finally", "timeout",
		"parallel first", "parallel settle", "parallel for", "perform once":
		return true
	}
	return false
}

// refuseFeature says that a feature cannot be run, if that is so. A program
// that needs one is refused as a whole: half of it would be run otherwise.
func (c *checker) refuseFeature(feature string, span source.Span) {
	if c.refuse != nil && c.refuse(feature) {
		c.sayNotYet(feature, span)
	}
}
