package explore

import (
	"strings"
	"testing"
)

// TestAStoryNamesItsSendersIfThereAreSeveral has requests of two clients, one of which is in two traces.
func TestAStoryNamesItsSendersIfThereAreSeveral(t *testing.T) {
	t.Parallel()
	const first, second = "4bf92f3577b34da6a3ce929d0e0e4736", "1-5759e988-bd862e3fe1be46a994272793"
	requests := []Request{
		{Operation: "PutItem", Client: "Boto3/1.43.11 ua/2.1 m/C", Trace: "00-" + first + "-00f067aa0ba902b7-01"},
		{Operation: "UpdateItem", Client: "Boto3/1.43.11 ua/2.1 m/C,b", Trace: "00-" + first + "-b7ad6b7169203331-01",
			Mishap: LostResponse},
		{Operation: "UpdateItem", Client: "Boto3/1.43.11 ua/2.1", Trace: "Self=1-0;Root=" + second + ";Sampled=1"},
		{Operation: "GetItem"},
		{Operation: "Query", Client: "aws-sdk-js/3.1"},
	}
	f := &Finding{Outcome: &Outcome{Requests: requests}}
	story := f.Story()
	for _, want := range []string{"1 A  PutItem", "2 A  UpdateItem", "3 B  UpdateItem", "4 C  GetItem", "5 D  Query",
		"Sent by:\n    A  Boto3/1.43.11 ua/2.1, trace " + first + "\n    B  Boto3/1.43.11 ua/2.1, trace " + second +
			"\n    C  an unnamed client\n    D  aws-sdk-js/3.1\n"} {
		if !strings.Contains(story, want) {
			t.Errorf("the story misses %q:\n%s", want, story)
		}
	}
	f.Outcome.Requests = requests[:2]
	if story := f.Story(); strings.Contains(story, "Sent by") || !strings.Contains(story, "  1  PutItem") {
		t.Errorf("the story of one client names it:\n%s", story)
	}
}

func TestLettersOfSenders(t *testing.T) {
	t.Parallel()
	for i, want := range map[int]string{0: "A", 25: "Z", 26: "AA", 53: "BB", 26 + 26*26: "AAA"} {
		if got := letter(i); got != want {
			t.Errorf("%d: %s, want %s", i, got, want)
		}
	}
}
