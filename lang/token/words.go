package token

// Reserved reports whether w cannot be the name of a variable, parameter,
// function or type. It may still name a field, step, command and the like.
func Reserved(w string) bool {
	switch w {
	case "let", "var", "fn", "if", "then", "else", "match", "for", "in", "while", "break", "continue",
		"return", "try", "catch", "throw", "fail", "goto", "emit", "perform", "ask", "await", "spawn",
		"select", "self", "true", "false", "nil", "null":
		return true
	}
	return false
}

// ReservedWords lists them.
func ReservedWords() []string {
	return []string{
		"let", "var", "fn", "if", "then", "else", "match", "for", "in", "while", "break", "continue",
		"return", "try", "catch", "throw", "fail", "goto", "emit", "perform", "ask", "await", "spawn",
		"select", "self", "true", "false", "nil", "null",
	}
}

// Declarations lists the words that begin a declaration at top level when a
// name follows (`import` and `test`: a string).
func Declarations() []string {
	return []string{"workflow", "entity", "agent", "type", "event", "fn", "import", "test"}
}

// Members lists the words that begin a member of a workflow, entity or agent.
func Members() []string {
	return []string{
		"state", "timeout", "default", "init", "step", "parallel", "command", "query", "signal", "fn",
		"finally", "compensate", "branch", "model", "system", "tool",
	}
}

// Clauses lists the words that begin a clause in the head of a step.
func Clauses() []string { return []string{"timeout", "retry", "backoff", "when", "else"} }

// RejectCode reports whether w is one of the codes `reject` may name.
func RejectCode(w string) bool {
	switch w {
	case "bad_request", "unauthorized", "forbidden", "not_found", "conflict", "timeout", "unavailable", "internal":
		return true
	}
	return false
}

// RejectCodes lists them.
func RejectCodes() []string {
	return []string{
		"bad_request", "unauthorized", "forbidden", "not_found", "conflict", "timeout", "unavailable", "internal",
	}
}

// BreaksNoLine reports whether a line that begins with w continues the line
// before.
func BreaksNoLine(w string) bool {
	switch w {
	case "else", "catch", "in", "then":
		return true
	}
	return false
}
