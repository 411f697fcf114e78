package webconsole

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/control"
	cosmos "github.com/tabletop-db/tabletop/emulator/internal/cosmos/telemetry"
	dynamo "github.com/tabletop-db/tabletop/emulator/internal/dynamo/telemetry"
	"github.com/tabletop-db/tabletop/internal/model/recording"
)

// The limits of a recording that the page compares with a run: the bytes of the file, as many as a recording on demand
// has; the requests of clients, as many as the page keeps of a run; and the bytes that they hold in memory.
const (
	maxRecording        = 1 << 30
	maxRecordedRequests = 2000
	maxRecordedBytes    = 32 << 20
)

// errRecordingTooLong is the error of a recording with more requests of clients than the page compares.
var errRecordingTooLong = fmt.Errorf("the recording has more than %d requests of clients, or %d MiB of them: "+
	"compare it with tabletop replay", maxRecordedRequests, maxRecordedBytes>>20)

// errRecordingOn is the error of reading the emulator's own recording before it has ended.
var errRecordingOn = errors.New("the recording is still on: stop it first")

// serveRecording responds with the requests of clients in a recording, as a stream of requests with bodies reports
// them. POST reads the file in the body; GET reads the emulator's last recording.
func (c *console) serveRecording(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost && !isRead(r) {
		refuseMethod(w, http.MethodGet, http.MethodHead, http.MethodPost)
		return
	}
	if !c.admit(w, r) {
		return
	}
	file, err := c.openRecording(w, r)
	if err != nil {
		control.WriteProblem(w, http.StatusConflict, err.Error())
		return
	}
	defer file.Close()
	requests, err := readRecording(file)
	if err != nil {
		control.WriteProblem(w, recordingStatus(err), err.Error())
		return
	}
	writeJSON(w, requests)
}

// openRecording opens the recording that a request means. Errors: errRecordingOn, control.ErrNotRecording.
func (c *console) openRecording(w http.ResponseWriter, r *http.Request) (io.ReadCloser, error) {
	if r.Method == http.MethodPost {
		return http.MaxBytesReader(w, r.Body, maxRecording), nil
	}
	if c.Recorder.Show().On {
		return nil, errRecordingOn
	}
	return c.Recorder.Open()
}

// recordingStatus returns the status for an error of readRecording.
func recordingStatus(err error) int {
	var large *http.MaxBytesError
	if errors.Is(err, errRecordingTooLong) || errors.As(err, &large) {
		return http.StatusRequestEntityTooLarge
	}
	return http.StatusBadRequest
}

// readRecording reads the requests of clients: those of the console itself are left out. Errors: *recording.Error,
// errRecordingTooLong.
func readRecording(file io.Reader) ([]*request, error) {
	in, err := recording.NewReader(file)
	if err != nil {
		return nil, err
	}
	requests, size := []*request{}, int64(0)
	for {
		e, err := in.Next()
		switch {
		case err == io.EOF:
			return requests, nil
		case err != nil:
			return nil, err
		case e.Console:
			continue
		}
		one := recordedRequest(e)
		if size += one.size(); size > maxRecordedBytes || len(requests) == maxRecordedRequests {
			return nil, errRecordingTooLong
		}
		requests = append(requests, one)
	}
}

// recordedRequest returns what a stream would have reported of a recorded request. Its id is its number.
func recordedRequest(e *recording.Entry) *request {
	read := recordedDynamoRequest
	if e.Service == recording.Cosmos {
		read = recordedCosmosRequest
	}
	one := read(e)
	one.ID = uint64(e.N)
	return one
}

func recordedCosmosRequest(e *recording.Entry) *request {
	event := cosmos.Event{At: e.Time, Operation: e.Operation, Link: linkOf(e.Path), Status: e.Status,
		Substatus: e.Substatus, Error: e.Error, Took: time.Duration(e.Micros) * time.Microsecond, UserAgent: e.Client,
		Request: e.Body(), Response: e.Answer, ResponseDropped: e.Lost}
	for _, c := range e.Consumed {
		event.Charge += c.Units
	}
	return cosmosRequestOf(&event, true)
}

// linkOf returns the link of a path, as events have it: that of the resource, or of a feed's parent, unescaped.
func linkOf(path string) string {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	if len(parts)%2 == 1 {
		parts = parts[:len(parts)-1]
	}
	for i, part := range parts {
		if text, err := url.PathUnescape(part); err == nil {
			parts[i] = text
		}
	}
	return strings.Join(parts, "/")
}

func recordedDynamoRequest(e *recording.Entry) *request {
	event := dynamo.Event{Operation: e.Operation, Account: e.Account, AccessKey: e.AccessKey, Principal: e.Principal,
		UserAgent: e.Client, Start: e.Time, Elapsed: time.Duration(e.Micros) * time.Microsecond, Status: e.Status,
		Error: e.Error, Request: e.Body(), Response: e.Answer, ResponseDropped: e.Lost}
	for _, c := range e.Consumed {
		event.Charges = append(event.Charges, dynamo.Charge{Table: c.Table, Index: c.Index, Write: c.Write, Units: c.Units})
	}
	for _, a := range e.Authorization {
		event.Accesses = append(event.Accesses, dynamo.Access(a))
	}
	return dynamoRequestOf(&event, true)
}
