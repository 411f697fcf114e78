package kinesis

import (
	"maps"
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/awsapi/accounts"
)

// account has streams of its own. Without isolation there is one account, with an empty name.
type account struct {
	*Service
	name    string
	streams map[string]*stream // by name
}

// account returns the account with a name, or a new one, which is stored once it has a stream. s.mu must be held.
func (s *Service) account(name string) *account {
	if a, ok := s.accounts[name]; ok {
		return a
	}
	return &account{Service: s, name: name, streams: map[string]*stream{}}
}

// id returns the account number.
func (a *account) id() string { return a.accountID.Number(a.name) }

func (a *account) region() string { return accounts.Region(a.name) }

// arn returns the ARN of a stream.
func (a *account) arn(stream string) string {
	return a.accountID.ARN("kinesis", a.name, "stream/"+stream)
}

// find returns the stream that a request names. s.mu must be held.
func (a *account) find(in streamRef) (*stream, error) {
	name, err := in.name(a)
	if err != nil {
		return nil, err
	}
	if st, ok := a.streams[name]; ok {
		return st, nil
	}
	return nil, a.streamNotFound(name)
}

// sortedNames returns the names of the account's streams.
func (a *account) sortedNames() []string { return slices.Sorted(maps.Keys(a.streams)) }

// streamRef is the part of an input that names a stream.
type streamRef struct{ StreamName, StreamARN *string }

func (in streamRef) check(v *violations) {
	v.text("streamARN", in.StreamARN, 1, 2048)
	if in.StreamName == nil {
		return
	}
	if !isName(*in.StreamName) {
		v.Add("streamName", *in.StreamName, "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+")
	}
	v.Length("streamName", *in.StreamName, 1, 128)
}

// name returns the stream's name. Errors: the name is missing, for which each operation of the service has another
// message, or the ARN belongs to another account. The messages are the emulator's own.
func (in streamRef) name(a *account) (string, error) {
	if in.StreamARN == nil {
		if in.StreamName == nil {
			return "", invalidArgument("Either StreamARN or StreamName must be specified.")
		}
		return *in.StreamName, nil
	}
	name, ok := strings.CutPrefix(*in.StreamARN, a.arn(""))
	if !ok || !isName(name) {
		return "", kinesisError("ResourceNotFoundException", "Stream "+*in.StreamARN+" under account "+a.id()+" not found.")
	}
	if in.StreamName != nil && *in.StreamName != name {
		return "", invalidArgument("StreamARN and StreamName name different streams.")
	}
	return name, nil
}

// isName reports whether a text is not empty and has only characters of stream names.
func isName(name string) bool {
	return name != "" && !strings.ContainsFunc(name, func(c rune) bool {
		return !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.ContainsRune("_.-", c))
	})
}
