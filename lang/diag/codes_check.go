package diag

// checkCodes explains what the checker says (WF2xxx).
var checkCodes = []Entry{}
