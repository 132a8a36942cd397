package diag

import "slices"

// rules are the codes of programs that have a meaning, and that are refused for
// what they would do. Whether a type fits or an effect stands at its place does
// not change what a name stands for or where a step leads.
var rules = []Code{
	"WF2323", "WF2324",
	"WF2401", "WF2402", "WF2405", "WF2406",
	"WF2501", "WF2502", "WF2503", "WF2507", "WF2508",
	"WF2602", "WF2603", "WF2605", "WF2606", "WF2607", "WF2608",
	"WF2701", "WF2704", "WF2705", "WF2706", "WF2710", "WF2711", "WF2712", "WF2713", "WF2714", "WF2715", "WF2716", "WF2717", "WF2718", "WF2719",
	"WF2720", "WF2721", "WF2722", "WF2723", "WF2724", "WF2725", "WF2726", "WF2727", "WF2728", "WF2729", "WF2730", "WF2731", "WF2732",
}

// Rule reports whether a program that draws the code has a meaning all the same.
// An instance finishes on the program that it started with: a version of wf with
// one rule more still runs what an earlier one has taken.
func (c Code) Rule() bool { return slices.Contains(rules, c) }
