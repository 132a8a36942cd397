package diag

import "slices"

// syntaxCodes explains what the scanner and the parser say (WF1xxx): WF10xx
// characters, numbers and strings, WF11xx statements, expressions, patterns
// and types, WF12xx brackets, WF13xx declarations and members.
var syntaxCodes = slices.Concat(characterCodes, expressionCodes, formCodes, bracketCodes, declarationCodes)
