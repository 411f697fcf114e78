package invariants

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Databases are where invariants are checked.
type Databases struct {
	DynamoDB *dynamodb.Client
	Cosmos   *azcosmos.Client // may be nil if no invariant has a container
	Prefix   string           // before the names of tables and of Cosmos DB's databases; not in statements
}

// Break is an invariant that does not hold.
type Break struct {
	Name         string   `json:"name"`
	Requirements []string `json:"requirements,omitempty"`
	Found        []string `json:"found"`          // what breaks it, a line each, at most 5
	More         int      `json:"more,omitempty"` // how many more there are
}

// String returns the break in a few lines.
func (b Break) String() string {
	text := "broken: " + b.Name
	if len(b.Requirements) > 0 {
		text += " (" + strings.Join(b.Requirements, ", ") + ")"
	}
	for _, f := range b.Found {
		text += "\n    " + f
	}
	if b.More > 0 {
		text += fmt.Sprintf("\n    … and %d more", b.More)
	}
	return text
}

// Short returns the break in one line, with what breaks it first.
func (b Break) Short() string {
	text := b.Name
	if len(b.Requirements) > 0 {
		text += " (" + strings.Join(b.Requirements, ", ") + ")"
	}
	text += ": " + b.Found[0]
	if more := len(b.Found) - 1 + b.More; more > 0 {
		text += fmt.Sprintf(", and %d more", more)
	}
	return text
}

// Text returns breaks in lines; empty: none.
func Text(breaks []Break) string {
	parts := make([]string, len(breaks))
	for i, b := range breaks {
		parts[i] = b.String()
	}
	return strings.Join(parts, "\n")
}

// add adds a finding.
func (b *Break) add(format string, args ...any) {
	const shown = 5
	if len(b.Found) == shown {
		b.More++
		return
	}
	b.Found = append(b.Found, fmt.Sprintf(format, args...))
}

// MissingError reports a table or container that does not exist, so that an invariant says nothing.
type MissingError struct {
	Invariant string
	err       error
}

func (e *MissingError) Error() string {
	return fmt.Sprintf("invariant %q: %v: correct its name, or create it first", e.Invariant, oneLine(e.err))
}

// Unwrap returns the service's error.
func (e *MissingError) Unwrap() error { return e.err }

// Check returns the invariants that do not hold, in the order of the file. Errors: a MissingError; a statement or
// expression that the service refuses; a request that fails. Of several, the first is returned, after all invariants
// were tried; the breaks of the others are returned with it.
func (s *Set) Check(ctx context.Context, d Databases) (breaks []Break, err error) {
	for i := range s.Invariants {
		v := &s.Invariants[i]
		b := Break{Name: v.Name, Requirements: v.Requirements}
		if failed := v.find(ctx, d, &b); failed != nil && err == nil {
			err = explain(v.Name, failed)
		}
		if len(b.Found) > 0 {
			breaks = append(breaks, b)
		}
	}
	return breaks, err
}

// Holds checks as Check does and returns an error that shows the breaks, for tests and emulator.ExploreCheck.
func (s *Set) Holds(ctx context.Context, d Databases) error {
	breaks, err := s.Check(ctx, d)
	if err == nil && len(breaks) > 0 {
		err = errors.New(Text(breaks))
	}
	return err
}

// find adds what breaks an invariant to b.
func (v *Invariant) find(ctx context.Context, d Databases, b *Break) error {
	switch {
	case v.Each != "":
		return v.checkEach(ctx, d, b)
	case v.Sum != nil:
		return v.checkSum(ctx, d, b)
	case len(v.Unique) > 0:
		return v.checkUnique(ctx, d, b)
	case v.Has != nil:
		return v.checkHas(ctx, d, b)
	case len(v.Composed) > 0:
		return v.checkComposed(ctx, d, b)
	case v.Cosmos != nil:
		return v.queryCosmos(ctx, d, b)
	}
	return v.runStatement(ctx, d, b)
}

func explain(name string, err error) error {
	var missing *types.ResourceNotFoundException
	if errors.As(err, &missing) || isMissingContainer(err) {
		return &MissingError{name, err}
	}
	return fmt.Errorf("invariant %q: %w", name, oneLine(err))
}

// oneLine returns an error whose text is one line.
func oneLine(err error) error {
	if !strings.Contains(err.Error(), "\n") {
		return err
	}
	return errors.New(strings.Join(strings.Fields(err.Error()), " "))
}
