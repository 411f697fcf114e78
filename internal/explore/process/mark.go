package process

import "crypto/rand"

// newMark returns an environment variable that only one run has.
func newMark() string { return "TABLETOP_EXPLORE_RUN=" + rand.Text() }
