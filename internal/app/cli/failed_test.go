//go:build unix

package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/internal/app/cli/command"
)

// commandVar is the environment variable that makes this test binary run as the command tabletop, with the variable's
// lines as its arguments.
const commandVar = "TABLETOP_TEST_COMMAND"

func TestMain(m *testing.M) {
	if args := os.Getenv(commandVar); args != "" {
		env := func(string) (string, bool) { return "", false }
		os.Exit(Main(context.Background(), command.Process{Args: strings.Split(args, "\n"), Env: env, Stdout: os.Stdout,
			Stderr: os.Stderr}))
	}
	if len(os.Args) > 1 && !strings.HasPrefix(os.Args[1], "-") { // a child that the console of tabletop up has started
		os.Exit(command.Run(Root()))
	}
	os.Exit(m.Run())
}

// TestEmulatorExitsWhenItsDiskFails runs the command with a file size limit of 100 KB, which acts like a full disk:
// writes fail, the health check reports it, and the process prints the cause in one line and ends by itself with status
// 1. Started again where it cannot write at all, it reports that and ends.
func TestEmulatorExitsWhenItsDiskFails(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	ctx, cancel := context.WithTimeout(t.Context(), 2*patience)
	defer cancel()
	cmd, endpoint, stderr := startLimited(ctx, t, 200, data)
	put := client(t, endpoint)
	createItemsTable(t, put)
	var refusal error
	for i := 0; refusal == nil; i++ {
		_, refusal = put.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("items"),
			Item: map[string]types.AttributeValue{
				"pk": &types.AttributeValueMemberS{Value: fmt.Sprint(i)},
				"v":  &types.AttributeValueMemberS{Value: strings.Repeat("x", 20_000)},
			}}, func(o *dynamodb.Options) { o.Retryer = aws.NopRetryer{} })
	}
	if !strings.Contains(refusal.Error(), "InternalServerError: the store has stopped: cannot write") {
		t.Errorf("the refused write says %v", refusal)
	}
	failed := time.Now()
	if res, err := http.Get(endpoint); err == nil { // it may have ended
		if res.StatusCode != http.StatusServiceUnavailable {
			t.Errorf("the health check answers %s", res.Status)
		}
		_ = res.Body.Close()
	}
	text, err := io.ReadAll(stderr)
	if err != nil {
		t.Error(err)
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 1 {
		t.Errorf("the process ended with %v, want status 1", err)
	}
	if took := time.Since(failed); took > patience {
		t.Errorf("it took %v to end", took)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	if last := lines[len(lines)-1]; !strings.HasPrefix(last, "tabletop: the store has stopped: cannot write ") ||
		strings.Contains(string(text), "goroutine") {
		t.Errorf("it printed:\n%s", text)
	}
}

// startLimited starts the emulator on a folder, with a limit on the size of files in blocks of 512 bytes or 1 KB,
// depending on the shell.
func startLimited(ctx context.Context, t *testing.T, blocks int, data string) (cmd *exec.Cmd, endpoint string,
	stderr io.Reader) {
	t.Helper()
	cmd = exec.CommandContext(ctx, "sh", "-c", fmt.Sprintf(`trap "" XFSZ; ulimit -f %d; exec "$0"`, blocks), os.Args[0])
	cmd.Env = append(os.Environ(), commandVar+"="+strings.Join([]string{"emulator", "--quiet", "--dynamodb-addr",
		"127.0.0.1:0", "--cosmos-addr", "", "--data", data}, "\n"))
	out, err := cmd.StdoutPipe()
	if err == nil {
		stderr, err = cmd.StderrPipe()
	}
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	lines.Scan()
	return cmd, lines.Text(), stderr
}

func createItemsTable(t *testing.T, c *dynamodb.Client) {
	t.Helper()
	_, err := c.CreateTable(t.Context(), &dynamodb.CreateTableInput{
		TableName: aws.String("items"), BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("pk"),
			AttributeType: types.ScalarAttributeTypeS}},
		KeySchema: []types.KeySchemaElement{{AttributeName: aws.String("pk"), KeyType: types.KeyTypeHash}},
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestEmulatorRefusesAnUnwritableDisk starts the command where it cannot write even its first files.
func TestEmulatorRefusesAnUnwritableDisk(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 2*patience)
	defer cancel()
	cmd, _, stderr := startLimited(ctx, t, 1, t.TempDir())
	text, err := io.ReadAll(stderr)
	if err != nil {
		t.Error(err)
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 2 {
		t.Errorf("the process ended with %v, want status 2", err)
	}
	if strings.Count(string(text), "tabletop: ") != 1 || !strings.Contains(string(text), "file too large") ||
		strings.Contains(string(text), "goroutine") {
		t.Errorf("it printed:\n%s", text)
	}
}
