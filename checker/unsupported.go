package checker

import "github.com/wf-lang/wf/lang/source"

// NotYet reports whether this version of the run time cannot run a feature.
// Whoever teaches it one takes its name out of this list. The checker asks for
// agent, entity, command, init, finally, timeout, retry (with backoff and
// when), else, select, `perform once`, and parallel first, settle and for.
func NotYet(feature string) bool {
	switch feature {
	case "agent":
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
