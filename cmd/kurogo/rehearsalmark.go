package main

// rehearsalMark is put before output that was played, not thought.
func rehearsalMark(on bool) string {
	if on {
		return "[rehearsal] "
	}
	return ""
}
