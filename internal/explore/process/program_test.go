//go:build unix

package process_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/internal/explore"
	"github.com/tabletop-db/tabletop/internal/explore/process"
)

// TestMain is the test binary, or one of the commands below if an argument names it.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "command" {
		if err := commands[os.Args[2]](); err != nil {
			fmt.Println(err)
			os.Exit(3)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// commands are what the tests run.
var commands = map[string]func() error{
	"count":        count,
	"count safely": countSafely,
	"hang":         hang,
	"print megabytes": func() error {
		for range 64 {
			fmt.Println(strings.Repeat("x", 1<<17))
		}
		return errors.New("the last line")
	},
	"die":            func() error { return syscall.Kill(os.Getpid(), syscall.SIGKILL) },
	"leave a child":  func() error { return leave(&syscall.SysProcAttr{}) },
	"leave a daemon": func() error { return leave(&syscall.SysProcAttr{Setsid: true}) },
	"stay connected": func() error {
		connection, err := net.Dial("tcp", os.Args[3])
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(connection, "started")
		return errors.Join(err, hang())
	},
	"call the cloud": func() error {
		_, err := http.Get("https://dynamodb.us-east-1.amazonaws.com/")
		return err
	},
	"ask Cosmos DB": func() error {
		response, err := http.Get(os.Getenv("AZURE_COSMOS_ENDPOINT"))
		if err != nil {
			return err
		}
		defer response.Body.Close()
		_, err = os.Stat(os.Getenv("AZURE_COSMOS_CERTIFICATE"))
		return err
	},
}

// hang waits for a connection that nobody makes.
func hang() error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	_, err = listener.Accept()
	return err
}

// leave leaves a process running, with a connection to the address in the arguments, and this one's output.
func leave(a *syscall.SysProcAttr) error {
	child := exec.Command(os.Args[0], "command", "stay connected", os.Args[3])
	child.Stdout, child.SysProcAttr = os.Stdout, a
	return child.Start()
}

// count adds one to a counter, twice if the response is lost.
func count() error { return add("ADD n :one", "") }

// countSafely does it once.
func countSafely() error { return add("SET n = :one", "attribute_not_exists(n)") }

func add(update, condition string) error {
	ctx := context.Background()
	cfg, err := config.LoadDefaultConfig(ctx)
	if err != nil {
		return err
	}
	db := dynamodb.NewFromConfig(cfg)
	key := map[string]types.AttributeValue{"id": &types.AttributeValueMemberS{Value: "a"}}
	in := &dynamodb.UpdateItemInput{TableName: aws.String("counters"), Key: key, UpdateExpression: &update,
		ExpressionAttributeValues: map[string]types.AttributeValue{":one": &types.AttributeValueMemberN{Value: "1"}}}
	if condition != "" {
		in.ConditionExpression = &condition
	}
	var done *types.ConditionalCheckFailedException
	if _, err := db.UpdateItem(ctx, in); err != nil && !errors.As(err, &done) {
		return err
	}
	out, err := db.GetItem(ctx, &dynamodb.GetItemInput{TableName: aws.String("counters"), Key: key,
		ConsistentRead: aws.Bool(true)})
	if err != nil {
		return err
	}
	if n := out.Item["n"].(*types.AttributeValueMemberN).Value; n != "1" {
		return fmt.Errorf("the counter is %s, want 1", n)
	}
	return nil
}

// open returns a program that runs one of the commands, on emulators with the table counters.
func open(t *testing.T, command string) *process.Program {
	t.Helper()
	p := &process.Program{Args: []string{os.Args[0], "command", command}, Limit: time.Minute, Prepare: newTable}
	if err := p.Open(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

func newTable(ctx context.Context, e *emulator.Emulator) error {
	_, err := dynamodb.NewFromConfig(e.AWSConfig()).CreateTable(ctx, &dynamodb.CreateTableInput{
		TableName: aws.String("counters"), BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("id"), AttributeType: "S"}},
		KeySchema:            []types.KeySchemaElement{{AttributeName: aws.String("id"), KeyType: types.KeyTypeHash}},
	})
	return err
}

func run(t *testing.T, p *process.Program, plan explore.Plan) *explore.Outcome {
	t.Helper()
	o, err := p.Run(t.Context(), plan)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func TestACommandIsExplored(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]string{"count": "cut-after-commit UpdateItem 1 counters", "count safely": ""} {
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			r, err := explore.Search(t.Context(), open(t, command), explore.Settings{Runs: 12, Seed: 1, Parallel: 2})
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			for _, f := range r.Findings {
				got += f.Plan.Text()
				if !strings.Contains(f.Story(), "the counter is 2, want 1") || !strings.HasPrefix(f.Client(), "aws-sdk-go-v2/") {
					t.Errorf("the story is %s, the client %q", f.Story(), f.Client())
				}
			}
			if got != want || len(r.Flaky) > 0 {
				t.Errorf("found %q, want %q; %d flaky", got, want, len(r.Flaky))
			}
		})
	}
}

func TestHowACommandEnds(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]string{
		"hang": "it did not end within", "print megabytes": "exit status 3", "die": "it was ended by a signal",
		"ask Cosmos DB": "",
	} {
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			p := open(t, command)
			if command == "hang" {
				p.Limit = 50 * time.Millisecond
			}
			o := run(t, p, nil)
			if o.Passed != (want == "") || !strings.Contains(o.Reason, want) {
				t.Errorf("%v, %q; want %q", o.Passed, o.Reason, want)
			}
			if len(o.Output) > 20<<10 || command == "print megabytes" && !strings.HasSuffix(o.Output, "the last line\n") {
				t.Errorf("the output has %d bytes and ends with %q", len(o.Output), o.Output[max(0, len(o.Output)-40):])
			}
		})
	}
}

// TestNothingOutlivesARun has a command that leaves a process, and sees its connection closed after the run.
func TestNothingOutlivesARun(t *testing.T) {
	t.Parallel()
	for _, command := range []string{"leave a child", "leave a daemon"} {
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			listener, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			p := open(t, command)
			p.Args = append(p.Args, listener.Addr().String())
			if o := run(t, p, nil); !o.Passed {
				t.Errorf("%s: %s", o.Reason, o.Output)
			}
			if r := p.Remarks(); len(r) != 1 || !strings.Contains(r[0], "leaves processes running") {
				t.Errorf("the remarks are %q", r)
			}
			expectEnd(t, listener)
		})
	}
}

// expectEnd reads from the connection to a listener, if there was one, until the process at its other end has ended.
func expectEnd(t *testing.T, l net.Listener) {
	t.Helper()
	go func() { // a connection that nobody makes any more
		if last, err := net.Dial("tcp", l.Addr().String()); err == nil {
			_ = last.Close()
		}
	}()
	connection, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	if err := connection.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	var timeout net.Error
	if _, err := io.ReadAll(connection); errors.As(err, &timeout) && timeout.Timeout() {
		t.Error("a process still runs")
	}
}

func TestTheRealCloudIsRefused(t *testing.T) {
	t.Parallel()
	p := open(t, "call the cloud")
	if o := run(t, p, nil); o.Passed {
		t.Error("the request was not refused")
	}
	if r := p.Remarks(); len(r) != 1 || !strings.Contains(r[0], "dynamodb.us-east-1.amazonaws.com") {
		t.Errorf("the remarks are %q", r)
	}
}

func TestACommandThatCannotStart(t *testing.T) {
	t.Parallel()
	p := open(t, "")
	for _, name := range []string{"no-such-command", "./no-such-file"} {
		p.Args = []string{name}
		var start *process.StartError
		if _, err := p.Run(t.Context(), nil); !errors.As(err, &start) {
			t.Errorf("%s: the error is %v", name, err)
		}
	}
}

func TestARunEndsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	p := open(t, "hang")
	p.Prepare = func(context.Context, *emulator.Emulator) error { cancel(); return nil }
	if _, err := p.Run(ctx, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
}

func TestARecordingHasTheRequests(t *testing.T) {
	t.Parallel()
	var to strings.Builder
	if _, err := open(t, "count").Record(t.Context(), nil, &to); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(to.String(), `"UpdateItem"`) {
		t.Errorf("the recording is %s", to.String())
	}
	if _, err := open(t, "count").Show(t.Context(), nil, io.Discard); err != nil {
		t.Error(err)
	}
}
