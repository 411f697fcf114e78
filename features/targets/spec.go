package targets

import (
	"context"
	"fmt"
	"log/slog"
	"net/url"
	"strings"
)

// Kind is the sort of database a Spec names.
type Kind string

// The kinds of target.
const (
	Embedded      Kind = "embedded"
	URL           Kind = "url"
	DynamoDBLocal Kind = "dynamodb-local"
	AWS           Kind = "aws"
	Cosmos        Kind = "cosmos"
	Azure         Kind = "azure"
)

// Spec names a target; its zero value is invalid, Parse makes one.
type Spec struct {
	Kind Kind
	URL  string // the endpoint, for Kind URL and Cosmos only
}

// Parse reads a target's name as the command line gives it. The empty string means embedded.
func Parse(s string) (Spec, error) {
	switch Kind(s) {
	case "", Embedded:
		return Spec{Kind: Embedded}, nil
	case DynamoDBLocal, AWS, Azure:
		return Spec{Kind: Kind(s)}, nil
	}
	if raw, ok := strings.CutPrefix(s, "url="); ok {
		return parseURL(URL, raw)
	}
	if raw, ok := strings.CutPrefix(s, "cosmos="); ok {
		return parseURL(Cosmos, raw)
	}
	return Spec{}, fmt.Errorf("unknown target %q: use %s", s, kinds)
}

// kinds are the ways to name a target.
const kinds = "embedded, url=http://HOST:PORT, dynamodb-local, aws, cosmos=https://HOST:PORT or azure"

func parseURL(kind Kind, raw string) (Spec, error) {
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return Spec{}, fmt.Errorf("target %s=%s is not an http or https address: write %[1]s=http://HOST:PORT", kind, raw)
	}
	return Spec{Kind: kind, URL: raw}, nil
}

// String is the name that Parse reads.
func (s Spec) String() string {
	if s.Kind == URL || s.Kind == Cosmos {
		return string(s.Kind) + "=" + s.URL
	}
	return string(s.Kind)
}

// Options say how a target may be opened. The zero value suits every target but aws and azure.
type Options struct {
	// SpendAllowed must be true for aws and azure: it confirms that the run may cost money (--yes-spend).
	SpendAllowed bool
	// Image replaces amazon/dynamodb-local as the container image of dynamodb-local. It must serve DynamoDB on port
	// 8000. Naming one rules out the jar: without an engine or the image, Open fails. Unless it is called
	// dynamodb-local, the target is named image=NAME.
	Image string
	// ImageCommand replaces the image's command. Empty: the image's own, or for amazon/dynamodb-local in memory.
	ImageCommand []string
	// CacheDir keeps what is fetched. Default: "tabletop" in the user's cache folder.
	CacheDir string
	// Logger hears what takes time (a download, a start). Default: nothing is logged.
	Logger *slog.Logger
}

// Open starts or reaches the database. The caller must Close the target. An error is one line with its remedy.
func (s Spec) Open(ctx context.Context, o Options) (*Target, error) {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	switch s.Kind {
	case Embedded:
		return openEmbedded(ctx)
	case URL:
		return openURL(ctx, s.URL)
	case DynamoDBLocal:
		return openDynamoDBLocal(ctx, o)
	case AWS:
		return openAWS(ctx, o)
	case Cosmos:
		return openCosmos(ctx, s.URL)
	case Azure:
		return openAzure(ctx, o)
	}
	return nil, fmt.Errorf("no target named: use %s", kinds)
}
