package access

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/features/httpapi"
)

// TestUser is a user who owns one thing of each type, as far as the system has users.
type TestUser struct {
	Values      Values   // the values in requests about the person's things
	Private     []string // texts that no one else may see; long enough not to occur in responses by chance
	Credentials map[string]httpapi.Credential
}

// The users in the scenarios. Their names are unique and valid in every system.
const (
	owner    = "anatheowner"
	stranger = "bobtheother"
)

// Tester is a scenario's system, on which the table is tested.
type Tester struct {
	System
	Service *httpapi.Service
	// NewUser creates a user with this name, whose things are as the operation needs them. operation is empty if no
	// particular one is meant.
	NewUser func(ctx context.Context, name, operation string) (TestUser, error)
	// Calls returns the calls made to the store since ResetCalls, written like steps about the wire.
	Calls      func() []string
	ResetCalls func()
	// Stored returns everything in the store, one text per item.
	Stored func(context.Context) ([]string, error)

	operations          []Operation
	lastRequest         string // the last request
	testedCells         int
	unexpectedResponses []string // responses that differ from the document
	leaks               []string // responses that reveal private texts
	unexpectedCalls     []string // unexpected calls to the store
	changedItems        []string
}

// reset reads the system's document and clears the results of earlier requests.
func (s *Tester) reset(ctx context.Context) error {
	s.testedCells, s.unexpectedResponses, s.leaks, s.unexpectedCalls, s.changedItems = 0, nil, nil, nil, nil
	answer := s.Service.Send(ctx, httpapi.Anonymous, http.MethodGet, "/openapi.json", nil)
	err := answer.Succeeded()
	if err == nil {
		s.operations, err = Read(answer.Body)
	}
	return err
}

// forEach calls do for each operation and kind of credential whose expected result is one of the verdicts.
func (s *Tester) forEach(do func(Operation, Kind, expectation) error, verdicts ...verdict) error {
	for _, o := range s.operations {
		for _, k := range s.Kinds {
			e := s.expect(o, k)
			if !slices.Contains(verdicts, e.verdict) {
				continue
			}
			s.testedCells++
			if err := do(o, k, e); err != nil {
				return fmt.Errorf("%s with %s: %w", o.ID, k.Name, err)
			}
		}
	}
	return nil
}

// callRefused calls every operation on a user's things with each credential that does not open it.
func (s *Tester) callRefused(ctx context.Context) error {
	ana, err := s.NewUser(ctx, owner, "")
	if err != nil {
		return err
	}
	return s.forEach(func(o Operation, k Kind, e expectation) error {
		a, calls := s.send(ctx, o, ana, ana.Credentials[cmp.Or(k.Of, k.Name)])
		s.checkLeaks(o, k, a, ana)
		s.checkRefusal(o, k, e, a, calls, ana)
		return nil
	}, refused)
}

// callForAnotherUser calls every operation on one user's things as another user.
func (s *Tester) callForAnotherUser(ctx context.Context) error {
	ana, err1 := s.NewUser(ctx, owner, "")
	bob, err2 := s.NewUser(ctx, stranger, "")
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	return s.forEach(func(o Operation, k Kind, e expectation) error {
		before, err1 := s.storedWith(ctx, ana.Private)
		a, calls := s.send(ctx, o, ana, bob.Credentials[k.Of])
		after, err2 := s.storedWith(ctx, ana.Private)
		s.checkUnchanged(o, k, before, after, ana)
		s.checkLeaks(o, k, a, ana)
		if e.verdict == absent {
			s.checkRefusal(o, k, e, a, calls, ana)
			missing, _ := s.send(ctx, o, withoutResources(ana), bob.Credentials[k.Of])
			if missing.Status != a.Status || string(missing.Body) != string(a.Body) {
				s.unexpectedResponses = append(s.unexpectedResponses,
					fmt.Sprintf("%s with %s: %s, and for a resource that does not exist %s", o.ID, k.Name, a, missing))
			}
		} else if a.Succeeded() != nil && a.Status != http.StatusNotFound || !o.documentsStatus(a.Status) {
			s.unexpectedResponses = append(s.unexpectedResponses, fmt.Sprintf("%s with %s: %s", o.ID, k.Name, a))
		}
		return errors.Join(err1, err2)
	}, absent, own)
}

// withoutResources returns a user who owns nothing: requests use the document's examples, which do not exist.
func withoutResources(p TestUser) TestUser {
	rest := Values{}
	for name, value := range p.Values {
		if !slices.Contains(p.Private, fmt.Sprint(value)) {
			rest[name] = value
		}
	}
	return TestUser{Values: rest}
}

// callAllowed calls every operation on a user's things with each credential that opens it, and expects success.
func (s *Tester) callAllowed(ctx context.Context) error {
	n := 0
	return s.forEach(func(o Operation, k Kind, e expectation) error {
		n++
		ana, err := s.NewUser(ctx, fmt.Sprintf(owner+"%d", n), o.ID)
		if err != nil {
			return err
		}
		a, _ := s.send(ctx, o, ana, ana.Credentials[k.Name])
		if a.Succeeded() != nil || !o.documentsStatus(a.Status) {
			s.unexpectedResponses = append(s.unexpectedResponses, fmt.Sprintf("%s with %s: %s", o.ID, k.Name, a))
		}
		return nil
	}, passes)
}

// callPublic calls the public operations with every credential.
func (s *Tester) callPublic(ctx context.Context) error {
	ana, err := s.NewUser(ctx, owner, "")
	if err != nil {
		return err
	}
	s.unexpectedResponses = append(s.unexpectedResponses, s.inconsistencies(s.operations)...)
	return s.forEach(func(o Operation, k Kind, e expectation) error {
		shows := ana.Credentials[k.Name]
		if k.Of != "" {
			shows = httpapi.Anonymous
		}
		a, _ := s.send(ctx, o, ana, shows)
		if want := cmp.Or(e.status, http.StatusOK); a.Status != want {
			s.unexpectedResponses = append(s.unexpectedResponses, fmt.Sprintf("%s with %s: %s, not %d", o.ID, k.Name, a, want))
		}
		s.checkLeaks(o, k, a, ana)
		return nil
	}, public)
}

// send sends the sample request of an operation. It returns the response, and the calls that the request made to the
// store.
func (s *Tester) send(ctx context.Context, o Operation, of TestUser, as httpapi.Credential) (httpapi.Response,
	[]string) {
	path, body := o.request("/"+s.Name, of.Values)
	s.lastRequest = fmt.Sprint(path, body)
	s.ResetCalls()
	if as == nil {
		return httpapi.Response{Err: errors.New("there is no such credential")}, nil
	}
	a := s.Service.Send(ctx, as, o.Method, path, body)
	return a, s.Calls()
}

// storedWith returns the stored items that contain something private, except for the stranger's own.
func (s *Tester) storedWith(ctx context.Context, private []string) (found []string, err error) {
	all, err := s.Stored(ctx)
	for _, text := range all {
		if hasAny(text, private) && !strings.Contains(text, stranger) {
			found = append(found, text)
		}
	}
	return found, err
}

func hasAny(text string, private []string) bool {
	return slices.ContainsFunc(private, func(one string) bool { return strings.Contains(text, one) })
}

// notInRequest returns the private texts that the last request did not contain itself.
func (s *Tester) notInRequest(private []string) []string {
	return slices.DeleteFunc(slices.Clone(private), func(one string) bool { return strings.Contains(s.lastRequest, one) })
}

// checkUnchanged checks that the owner's data is unchanged, and that nothing was added that reveals more about the
// owner than the request did.
func (s *Tester) checkUnchanged(o Operation, k Kind, before, after []string, of TestUser) {
	for _, text := range before {
		if !slices.Contains(after, text) {
			s.changedItems = append(s.changedItems, fmt.Sprintf("%s with %s: changed: %s", o.ID, k.Name, text))
		}
	}
	for _, text := range after {
		if !slices.Contains(before, text) && hasAny(text, s.notInRequest(of.Private)) {
			s.changedItems = append(s.changedItems, fmt.Sprintf("%s with %s: added: %s", o.ID, k.Name, text))
		}
	}
}

// checkRefusal checks a refusal against the expectation.
func (s *Tester) checkRefusal(o Operation, k Kind, e expectation, a httpapi.Response, calls []string, of TestUser) {
	name := fmt.Sprintf("%s with %s", o.ID, k.Name)
	switch {
	case a.Err != nil || a.Status != e.status:
		s.unexpectedResponses = append(s.unexpectedResponses, fmt.Sprintf("%s: %s, not %d", name, a, e.status))
	case !o.documentsStatus(e.status):
		s.unexpectedResponses = append(s.unexpectedResponses, fmt.Sprintf("%s: its document does not have %d",
			name, e.status))
	}
	if a.Err == nil && a.Status == http.StatusUnauthorized && a.Header.Get("WWW-Authenticate") == "" { // RFC 9110, 15.5.2
		s.unexpectedResponses = append(s.unexpectedResponses,
			name+": 401 without WWW-Authenticate, which says what would be accepted")
	}
	if !callsOnly(calls, e.calls, of.Values) {
		s.unexpectedCalls = append(s.unexpectedCalls, fmt.Sprintf("%s: the store received %s, not %s", name, list(calls),
			list(e.calls)))
	}
	if a.Err == nil && a.Status/100 == 4 && !isProblem(a) {
		s.leaks = append(s.leaks, fmt.Sprintf("%s: %s is not plain problem details", name, a))
	}
}

// checkLeaks checks that a response contains no private text other than those in the request itself.
func (s *Tester) checkLeaks(o Operation, k Kind, a httpapi.Response, of TestUser) {
	text := fmt.Sprint(a.Header, string(a.Body))
	if private := s.notInRequest(of.Private); hasAny(text, private) {
		s.leaks = append(s.leaks, fmt.Sprintf("%s with %s: the response contains %q: %s", o.ID, k.Name, private, a))
	}
}

// isProblem reports whether a response is problem details and nothing else.
func isProblem(a httpapi.Response) bool {
	if a.Header.Get("Content-Type") != "application/problem+json" {
		return false
	}
	var members map[string]any
	if json.Unmarshal(a.Body, &members) != nil {
		return false
	}
	for name := range members {
		if !slices.Contains([]string{"title", "status", "detail", "errors"}, name) {
			return false
		}
	}
	return members["status"] == float64(a.Status)
}

// callsOnly reports whether exactly these calls were made to the store, in this order.
func callsOnly(calls, want []string, values Values) bool {
	if len(calls) != len(want) {
		return false
	}
	for i, text := range want {
		text = strings.ReplaceAll(text, "{caller}", stranger)
		for name, value := range values {
			text = strings.ReplaceAll(text, "{"+name+"}", fmt.Sprint(value))
		}
		if !strings.HasPrefix(calls[i], text) {
			return false
		}
	}
	return true
}

func list(calls []string) string { return cmp.Or(strings.Join(calls, " and then "), "nothing") }
