package advice

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/internal/model/recording"
)

// settings makes ten settings of one shop, lets a time pass, and reads them as a program does.
func settings(later time.Duration, read func(p program, i int)) func(program) {
	return func(p program) {
		p.table("settings", "shop", "name")
		for i := range 10 {
			p.put("settings", setting(i))
		}
		p.wait(later)
		for i := range 30 {
			read(p, i%10)
			p.wait(time.Second)
		}
	}
}

func setting(i int) item { return item{"shop": "1", "name": fmt.Sprint(i)} }

func (p program) getConsistently(i int) {
	p.Helper()
	p.must(p.GetItem(p.Context(), &dynamodb.GetItemInput{TableName: aws.String("settings"), Key: setting(i).attributes(),
		ConsistentRead: aws.Bool(true)}))
}

func TestConsistentRead(t *testing.T) {
	t.Parallel()
	for operation, read := range map[string]func(program, int){
		"GetItem": program.getConsistently,
		"Query": func(p program, _ int) {
			in := partition("settings", "shop", "1")
			in.ConsistentRead = aws.Bool(true)
			p.must(p.Query(p.Context(), in))
		},
	} {
		t.Run(operation, func(t *testing.T) {
			t.Parallel()
			problem := fmt.Sprintf("30 of 30 strongly consistent %s requests read what nothing had written for a minute", operation)
			f := wantOne(t, "consistent-read", "settings", problem, settings(2*time.Minute, read), stopped)
			if f.Times != 30 || f.Monthly <= 0 {
				t.Errorf("%+v", f)
			}
		})
	}
}

// elsewhere returns another emulator, with a setting.
func elsewhere(t testing.TB) *emulator.Emulator {
	t.Helper()
	e, err := emulator.Start(stopped)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	p := program{TB: t, Client: dynamodb.NewFromConfig(e.AWSConfig()), emulator: e}
	p.table("settings", "shop", "name")
	p.put("settings", setting(1))
	return e
}

func TestConsistentReadIsSilent(t *testing.T) {
	t.Parallel()
	wantSilence(t, "consistent-read", map[string]func(program){
		"soon after the writes": settings(time.Second, program.getConsistently),
		"what was written before the recording is not known": func(p program) {
			s, err := elsewhere(p.TB).Snapshot()
			p.must(s, err)
			p.must(nil, p.emulator.Restore(s))
			for range 30 {
				p.getConsistently(1)
				p.wait(time.Second)
			}
		},
		"eventually consistent": settings(time.Hour, func(p program, i int) { p.get("settings", setting(i)) }),
		"some are after a write": settings(time.Hour, func(p program, i int) {
			if i == 3 {
				p.put("settings", setting(i))
			}
			p.getConsistently(i)
		}),
		"before a write": settings(time.Hour, func(p program, i int) {
			p.getConsistently(i)
			p.put("settings", setting(i))
			p.wait(time.Minute)
		}),
		"of what does not exist": settings(time.Hour, func(p program, i int) { p.getConsistently(100 + i) }),
		"statements write": settings(time.Hour, func(p program, i int) {
			p.must(p.ExecuteStatement(p.Context(), &dynamodb.ExecuteStatementInput{
				Statement: aws.String(fmt.Sprintf(`UPDATE settings SET x = 1 WHERE shop = '1' AND "name" = '%d'`, i))}))
			p.getConsistently(i)
		}),
	}, stopped)
}

// TestConsistentReadNeedsTheKey reads each item after it is put to a table that the recording does not describe, or
// describes late.
func TestConsistentReadNeedsTheKey(t *testing.T) {
	t.Parallel()
	var entries []recording.Entry
	at := beginning.Add(2 * time.Minute)
	for i := range 30 {
		if i == 5 {
			entries = append(entries, recording.Entry{Operation: "DescribeTable", Time: at,
				Answer: []byte(`{"Table":{"TableName":"orders","KeySchema":[{"AttributeName":"id","KeyType":"HASH"}]}}`)})
		}
		key := fmt.Sprintf(`"id":{"S":"%d"}`, i%5)
		entries = append(entries,
			recording.Entry{Operation: "PutItem", Time: at,
				Request: fmt.Appendf(nil, `{"TableName":"orders","Item":{%s,"n":{"N":"%d"}}}`, key, i)},
			recording.Entry{Operation: "GetItem", Time: at.Add(time.Second), Answer: fmt.Appendf(nil, `{"Item":{%s}}`, key),
				Request: fmt.Appendf(nil, `{"TableName":"orders","ConsistentRead":true,"Key":{%s}}`, key)})
		at = at.Add(2 * time.Second)
	}
	for name, entries := range map[string][]recording.Entry{"never": slices.Concat(entries[:10], entries[11:]),
		"late": slices.Concat(entries[:11], readsOf(entries[11:]))} {
		if found := reviewed(t, entries...).of("consistent-read"); len(found) > 0 {
			t.Errorf("described %s: %+v", name, found)
		}
	}
}

// readsOf returns the reads, again and again.
func readsOf(entries []recording.Entry) (all []recording.Entry) {
	for _, e := range entries {
		if e.Operation == "GetItem" {
			all = append(all, e, e)
		}
	}
	return all
}
