package advice

import "fmt"

// unprocessedIgnored finds batches of which DynamoDB did not process some members, which the program never sends again:
// writes are lost, or items that exist count as missing. A program that sends any of them again knows of them, even if
// it gives up in the end.
var unprocessedIgnored = Rule{
	ID:     "unprocessed-ignored",
	Title:  "members of batches that were not processed and are not sent again",
	Source: "https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html",
	watch: func(v *Review) watcher {
		return dynamoDB{&unprocessed{review: v, of: map[string]*leftMembers{}, waiting: map[string][]*leftMembers{}}}
	},
}

type unprocessed struct {
	review  *Review
	of      map[string]*leftMembers   // by program, operation and table
	waiting map[string][]*leftMembers // by program: what its last request left
}

// leftMembers is the members of one program's batches that were not processed, in one table.
type leftMembers struct {
	finding Finding
	keys    map[string]bool
	members int
	resent  bool
	last    *Request // of which nothing came after it yet
	left    int      // by last
}

// maxLeftKeys bounds the keys that are remembered of one table: a program that knows of them sends one of these again.
const maxLeftKeys = 1000

func (u *unprocessed) see(r *Request) {
	program := r.program()
	for _, operation := range []string{"BatchGetItem", "BatchWriteItem"} {
		for _, a := range r.accesses {
			if t := u.of[program+operation+a.table]; t != nil && t.keys[a.key] {
				t.resent = true
			}
		}
	}
	for _, t := range u.waiting[program] {
		t.members += t.left
		t.finding.show(t.last, "leaves "+times(t.left, "member", "members")+" unprocessed")
	}
	delete(u.waiting, program)
	if !r.Done() || r.Operation != "BatchGetItem" && r.Operation != "BatchWriteItem" {
		return
	}
	left := object(r.Result["UnprocessedKeys"])
	if r.Operation == "BatchWriteItem" {
		left = object(r.Result["UnprocessedItems"])
	}
	for _, a := range u.review.batched(left) {
		u.note(r, program, &a)
	}
}

// note notes a member that a request left unprocessed.
func (u *unprocessed) note(r *Request, program string, a *access) {
	id := program + r.Operation + a.table
	t := u.of[id]
	if t == nil {
		t = &leftMembers{finding: Finding{Table: a.table}, keys: map[string]bool{}}
		if r.Operation == "BatchGetItem" {
			t.finding.Source = "https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html"
		}
		u.of[id] = t
	}
	if t.last != r {
		t.last, t.left = r, 0
		u.waiting[program] = append(u.waiting[program], t)
	}
	t.left++
	if len(t.keys) < maxLeftKeys {
		t.keys[a.key] = true
	}
}

func (u *unprocessed) conclude() []Finding {
	var all []Finding
	for _, t := range ordered(u.of) {
		f := t.finding
		if t.resent || f.Times == 0 {
			continue
		}
		field := "UnprocessedItems"
		if f.Source != "" {
			field = "UnprocessedKeys"
		}
		f.Problem = fmt.Sprintf("%s not processed and never sent again",
			times(t.members, "member of a batch was", "members of batches were"))
		f.Remedy = "Send what " + field + " lists again, with exponential back-off, until it is empty"
		all = append(all, f)
	}
	return all
}
