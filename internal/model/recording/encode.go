package recording

import (
	"encoding/base64"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// appendEntry appends the line of an entry, whose memory it may change. It writes what json.Marshal would, much faster,
// but replaces invalid UTF-8 in texts, which clients can send. A request that is not JSON becomes RequestBytes, an
// answer that is not JSON is left out.
func appendEntry(line []byte, e *Entry) []byte {
	if e.Request != nil && e.Request.Compact() != nil {
		e.Request, e.RequestBytes = nil, e.Request
	}
	if e.Answer != nil && e.Answer.Compact() != nil {
		e.Answer = nil
	}
	l := object{append(line, '{')}
	l.int("n", e.N)
	l.out = append(e.Time.AppendFormat(append(l.name("time"), '"'), time.RFC3339Nano), '"')
	l.int("micros", e.Micros)
	l.text("service", e.Service)
	l.text("operation", e.Operation)
	l.optional("account", e.Account)
	l.optional("accessKey", e.AccessKey)
	l.optional("principal", e.Principal)
	l.optional("client", e.Client)
	l.optional("trace", e.Trace)
	l.optional("method", e.Method)
	l.optional("path", e.Path)
	l.texts("headers", e.Headers)
	appendList(&l, "authorization", e.Authorization, appendAccess)
	l.value("request", e.Request)
	if len(e.RequestBytes) > 0 {
		l.out = append(base64.StdEncoding.AppendEncode(append(l.name("requestBytes"), '"'), e.RequestBytes), '"')
	}
	l.int("status", int64(e.Status))
	if e.Substatus != 0 {
		l.int("substatus", int64(e.Substatus))
	}
	l.optional("error", e.Error)
	l.value("answer", e.Answer)
	l.texts("answerHeaders", e.AnswerHeaders)
	appendList(&l, "consumed", e.Consumed, appendConsumed)
	l.flag("lost", e.Lost)
	l.flag("console", e.Console)
	return append(l.out, '}', '\n')
}

func appendAccess(l *object, a *Access) {
	l.text("action", a.Action)
	l.text("resource", a.Resource)
	if len(a.Context) == 0 {
		return
	}
	context := object{append(l.name("context"), '{')}
	for _, key := range slices.Sorted(maps.Keys(a.Context)) {
		context.out = append(context.name(key), '[')
		for i, value := range a.Context[key] {
			if i > 0 {
				context.out = append(context.out, ',')
			}
			context.out = appendQuote(context.out, value)
		}
		context.out = append(context.out, ']')
	}
	l.out = append(context.out, '}')
}

func appendConsumed(l *object, c *Consumed) {
	l.optional("table", c.Table)
	l.optional("index", c.Index)
	l.flag("write", c.Write)
	l.optional("database", c.Database)
	l.optional("container", c.Container)
	l.out = strconv.AppendFloat(l.name("units"), c.Units, 'f', -1, 64)
}

// object is a JSON object in progress.
type object struct{ out []byte }

// name starts a member and returns the text so far.
func (l *object) name(name string) []byte {
	if l.out[len(l.out)-1] != '{' {
		l.out = append(l.out, ',')
	}
	return append(appendQuote(l.out, name), ':')
}

func (l *object) int(name string, n int64) { l.out = strconv.AppendInt(l.name(name), n, 10) }

func (l *object) text(name, value string) { l.out = appendQuote(l.name(name), value) }

// optional writes a text unless it is empty.
func (l *object) optional(name, value string) {
	if value != "" {
		l.text(name, value)
	}
}

// flag writes true, and nothing for false.
func (l *object) flag(name string, set bool) {
	if set {
		l.out = append(l.name(name), "true"...)
	}
}

func (l *object) value(name string, v jsontext.Value) {
	if len(v) > 0 {
		l.out = append(l.name(name), v...)
	}
}

func (l *object) texts(name string, values map[string]string) {
	if len(values) == 0 {
		return
	}
	members := object{append(l.name(name), '{')}
	for _, key := range slices.Sorted(maps.Keys(values)) {
		members.text(key, values[key])
	}
	l.out = append(members.out, '}')
}

// appendList writes an array of objects unless it is empty.
func appendList[T any](l *object, name string, elements []T, write func(*object, *T)) {
	if len(elements) == 0 {
		return
	}
	out := append(l.name(name), '[')
	for i := range elements {
		if i > 0 {
			out = append(out, ',')
		}
		element := object{append(out, '{')}
		write(&element, &elements[i])
		out = append(element.out, '}')
	}
	l.out = append(out, ']')
}

// appendQuote appends a JSON string. Invalid UTF-8 is replaced.
func appendQuote(out []byte, text string) []byte {
	out, _ = jsontext.AppendQuote(out, text) // an error reports the replacement
	return out
}
