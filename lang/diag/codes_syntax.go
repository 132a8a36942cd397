package diag

// syntaxCodes explains what the scanner and the parser say (WF1xxx).
var syntaxCodes = []Entry{}
