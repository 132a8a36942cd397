package cli

// errorsForLimits has nothing to do: there are no such limits here.
func errorsForLimits() {}
