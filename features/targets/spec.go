package targets

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"net/url"
	"strings"
)

// Kind is the kind of database that a Spec names.
type Kind string

// The kinds of target.
const (
	Embedded      Kind = "embedded"
	URL           Kind = "url"
	Alternator    Kind = "alternator"
	DynamoDBLocal Kind = "dynamodb-local"
	AWS           Kind = "aws"
	Cosmos        Kind = "cosmos"
	Azure         Kind = "azure"
)

// Spec names a target. Its zero value is invalid; use Parse.
type Spec struct {
	Kind Kind
	URL  string // the endpoint, for Kind URL, Alternator and Cosmos only
}

// Parse reads a target's name as given on the command line. The empty string means embedded.
func Parse(s string) (Spec, error) {
	switch Kind(s) {
	case "", Embedded:
		return Spec{Kind: Embedded}, nil
	case DynamoDBLocal, AWS, Azure:
		return Spec{Kind: Kind(s)}, nil
	}
	if kind, raw, ok := strings.Cut(s, "="); ok && Kind(kind).hasURL() {
		return parseURL(Kind(kind), raw)
	}
	return Spec{}, fmt.Errorf("unknown target %q: use %s", s, kinds)
}

// hasURL reports whether targets of the kind have an endpoint in their names.
func (k Kind) hasURL() bool { return k == URL || k == Alternator || k == Cosmos }

// kinds lists the names of targets for error messages.
const kinds = "embedded, url=http://HOST:PORT, alternator=http://HOST:PORT, dynamodb-local, aws, " +
	"cosmos=https://HOST:PORT or azure"

func parseURL(kind Kind, raw string) (Spec, error) {
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return Spec{}, fmt.Errorf("%s=%s is not an http or https URL: use %[1]s=http://HOST:PORT", kind, raw)
	}
	return Spec{Kind: kind, URL: raw}, nil
}

// String returns the name that Parse reads.
func (s Spec) String() string {
	if s.Kind.hasURL() {
		return string(s.Kind) + "=" + s.URL
	}
	return string(s.Kind)
}

// TargetName returns the name that the target has once it is open with these options.
func (s Spec) TargetName(o Options) string {
	if s.Kind == DynamoDBLocal && o.Image != "" {
		return cmp.Or(imageTarget(splitImage(o.Image)), string(DynamoDBLocal))
	}
	return s.String()
}

// Options holds how to open a target. The zero value suits every target but aws and azure.
type Options struct {
	// SpendAllowed must be true for aws and azure. It confirms that the run may cost money (--yes-spend).
	SpendAllowed bool
	// Image replaces amazon/dynamodb-local as the container image of dynamodb-local. It must serve DynamoDB on port
	// 8000. If it is set, the jar is not used: without an engine or the image, Open fails. Unless it is called
	// dynamodb-local, the target is named image=NAME.
	Image string
	// ImageCommand replaces the image's command. Empty: the image's own or, for amazon/dynamodb-local, the one that
	// keeps data in memory.
	ImageCommand []string
	// Profile is the profile of AWS's shared config files with the credentials and the region of url and aws. Default: the
	// environment's; for url without any, made-up credentials.
	Profile string
	// Region replaces the region of the environment or the profile, for url and aws.
	Region string
	// CacheDir is the folder for downloads. Default: "tabletop" in the user's cache folder.
	CacheDir string
	// Logger receives messages about slow operations (a download, a start). Default: no logging.
	Logger *slog.Logger
}

// Open starts the database or connects to it. The caller must Close the target. Errors are one line, with the remedy.
func (s Spec) Open(ctx context.Context, o Options) (*Target, error) {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	switch s.Kind {
	case Embedded:
		return openEmbedded(ctx)
	case URL:
		return openURL(ctx, s.URL, o)
	case Alternator:
		return openAlternator(ctx, s.URL, o)
	case DynamoDBLocal:
		return openDynamoDBLocal(ctx, o)
	case AWS:
		return openAWS(ctx, o)
	case Cosmos:
		return openCosmos(ctx, s.URL)
	case Azure:
		return openAzure(ctx, o)
	}
	return nil, fmt.Errorf("no target given: use %s", kinds)
}
