package builtin

import (
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// All functions return the time of the query. In the service, those without STATIC may return a later time for later
// rows.
var clockFunctions = []Function{
	now("GETCURRENTDATETIME", nowDateTime),
	now("GETCURRENTDATETIMESTATIC", nowDateTime),
	now("GETCURRENTTICKS", nowTicks),
	now("GETCURRENTTICKSSTATIC", nowTicks),
	now("GETCURRENTTIMESTAMP", nowTimestamp),
	now("GETCURRENTTIMESTAMPSTATIC", nowTimestamp),
	now("NOW", nowDateTime),
}

func now(name string, f func(time.Time) doc.Value) Function {
	return Function{name, 0, 0, func(env *Env, _ []doc.Value) doc.Value { return f(env.Now) }}
}

func nowDateTime(t time.Time) doc.Value  { return dateTime(ticksOf(t)) }
func nowTicks(t time.Time) doc.Value     { return doc.Int(ticksOf(t)) }
func nowTimestamp(t time.Time) doc.Value { return doc.Int(t.UnixMilli()) }
