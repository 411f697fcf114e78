package main

import (
	"context"
	"errors"
	"strings"
	"testing"
)

func TestKnownDifferencesAreReadable(t *testing.T) {
	t.Parallel()
	for _, peer := range []string{"dynamodb-local", "dynoxide"} {
		if known, err := readRules(peer); err != nil || len(known) == 0 {
			t.Errorf("%s: %d rules, %v", peer, len(known), err)
		}
	}
}

// TestForeignMembers: a rule about foreign members covers only requests that have one.
func TestForeignMembers(t *testing.T) {
	t.Parallel()
	known, err := readRules("dynoxide")
	if err != nil {
		t.Fatal(err)
	}
	for member, covered := range map[string]bool{"Key": true, "Item": false} {
		d := &difference{history: []request{{"PutItem", object{"TableName": "t", member: 1}}}, ours: answer{status: 200},
			peer: answer{status: 400, kind: "SerializationException"}}
		if found := known.find(d) != nil; found != covered {
			t.Errorf("PutItem with %s: covered %t, want %t", member, found, covered)
		}
	}
}

// TestDynoxideIsLeftOutIfItIsNotInstalled: one line says so, and how to install it.
func TestDynoxideIsLeftOutIfItIsNotInstalled(t *testing.T) {
	t.Parallel()
	o := options{ours: "embedded", peers: "dynoxide", dynoxide: t.TempDir() + "/dynoxide", rounds: 1}
	_, err := o.openPeer(t.Context(), "dynoxide")
	if !errors.Is(err, errNotInstalled) || strings.Contains(err.Error(), "\n") ||
		!strings.Contains(err.Error(), "cargo install dynoxide-rs") {
		t.Errorf("%v", err)
	}
	if _, err := o.run(context.Background()); err == nil || !strings.Contains(err.Error(), "nothing was compared") {
		t.Errorf("without any peer: %v", err)
	}
}
