package explore

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// sender is the part of a client that sends a request, as far as the client tells.
type sender struct {
	client string // the user agent
	trace  string // the id of the trace
}

// senders are those of a story, in the order of their first requests. A story names them only if there are several.
type senders []sender

func sendersOf(requests []Request) senders {
	var all senders
	for i := range requests {
		if s := requests[i].sender(); !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	return all
}

// sender returns who sends the request.
func (r *Request) sender() sender { return sender{withoutFeatures(r.Client), traceID(r.Trace)} }

// mark returns the letter of a request's sender, after a space; empty if there is only one sender.
func (all senders) mark(r *Request) string {
	if len(all) < 2 {
		return ""
	}
	return " " + letter(slices.Index(all, r.sender()))
}

// write explains the letters, if there are several.
func (all senders) write(b *strings.Builder) {
	if len(all) < 2 {
		return
	}
	b.WriteString("Sent by:\n")
	for i, s := range all {
		text := cmp.Or(s.client, "an unnamed client")
		if s.trace != "" {
			text += ", trace " + s.trace
		}
		fmt.Fprintf(b, "    %s  %s\n", letter(i), text)
	}
}

// letter returns A to Z, then AA, AB and so on.
func letter(i int) string {
	if i < 26 {
		return string(rune('A' + i))
	}
	return letter(i/26-1) + letter(i%26)
}

// withoutFeatures returns a user agent without the list of the features that one request uses, such as m/C,b: AWS's
// SDKs send it, and it differs between requests of the same client.
func withoutFeatures(agent string) string {
	return strings.Join(slices.DeleteFunc(strings.Fields(agent), func(word string) bool {
		return strings.HasPrefix(word, "m/")
	}), " ")
}

// traceID returns the id in the header traceparent, VERSION-TRACE-PARENT-FLAGS (W3C Trace Context), or in
// X-Amzn-Trace-Id, Root=TRACE;Parent=… (AWS X-Ray). A header of another form is returned as it is.
func traceID(header string) string {
	for part := range strings.SplitSeq(header, ";") {
		if root, ok := strings.CutPrefix(strings.TrimSpace(part), "Root="); ok {
			return root
		}
	}
	if parts := strings.Split(header, "-"); len(parts) >= 4 && len(parts[1]) == 32 {
		return parts[1]
	}
	return header
}
