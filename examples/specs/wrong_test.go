//go:build wrong

package seats_test

import (
	"os"
	"testing"

	"github.com/tabletop-db/tabletop/features/suite"
)

// TestWrong fails, to show what a failure looks like: go test -tags wrong -run Wrong .
func TestWrong(t *testing.T) {
	suite.Run(t, os.DirFS("testdata"), suite.Options{Steps: theatre})
}
