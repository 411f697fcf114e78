package emulator_test

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/emulator/console"
	"github.com/tabletop-db/tabletop/internal/testutil/await"
)

// TestBackupIsConsistent takes backups while writers of both services run puts, deletions, transactions and batches.
// Each backup opens, and has for each writer one consistent state, with every write that was answered before the backup
// began; indexes and streams agree with their table.
func TestBackupIsConsistent(t *testing.T) {
	t.Parallel()
	e := emulator.Run(t, console.Option(), emulator.WithData(t.TempDir()))
	d := makeBusy(t, e)
	type taken struct {
		dir            string
		items, batches []int
	}
	var all []taken
	for range 3 {
		d.await(t, 20)
		one := taken{dir: filepath.Join(t.TempDir(), "backup")}
		one.items, one.batches = d.written()
		got, err := e.BackUp(t.Context(), one.dir)
		if err != nil || got.Report == nil || got.Report.Damaged {
			t.Fatalf("%+v, %v", got, err)
		}
		all = append(all, one)
	}
	d.stop()
	for _, one := range all {
		d.check(t, one.dir, one.items, one.batches)
	}
}

// askForBackup requests a backup over the admin API; the caller closes the body.
func askForBackup(t *testing.T, url string) (*http.Response, int64) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url+"/_tabletop/backup", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	answer, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(r)
	if err != nil {
		t.Fatal(err)
	}
	size, _ := strconv.ParseInt(answer.Header.Get(emulator.BackupSizeHeader), 10, 64)
	return answer, size
}

// fill writes more than a connection's buffers hold.
func fill(t *testing.T, c *dynamodb.Client) {
	t.Helper()
	newTable(c, "large")
	for i := range 60 {
		_, err := c.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("large"),
			Item: map[string]types.AttributeValue{
				"id": &types.AttributeValueMemberS{Value: strconv.Itoa(i)},
				"v":  &types.AttributeValueMemberB{Value: make([]byte, 390_000)},
			}})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// gone waits until the checkpoint of a backup is removed.
func gone(t *testing.T, dir string) {
	t.Helper()
	await.True(t, "the checkpoint of the backup is removed", func() bool {
		_, err := os.Stat(filepath.Join(dir, "backup.tmp"))
		return errors.Is(err, os.ErrNotExist)
	})
}

// TestBackupEndsWhenTheClientDisconnects reads nothing of a backup: other clients write, and get an error for a second
// backup. When the client disconnects, its checkpoint is removed, and another backup succeeds.
func TestBackupEndsWhenTheClientDisconnects(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	e := emulator.Run(t, console.Option(), emulator.WithData(dir))
	client := dynamodb.NewFromConfig(e.AWSConfig())
	fill(t, client)
	first, size := askForBackup(t, e.DynamoDBURL())
	if first.StatusCode != http.StatusOK || size < 20<<20 {
		t.Fatalf("%s, %d bytes", first.Status, size)
	}
	second, _ := askForBackup(t, e.DynamoDBURL())
	body, _ := io.ReadAll(second.Body)
	if second.Body.Close(); second.StatusCode != http.StatusConflict || !strings.Contains(string(body),
		"another backup is running") {
		t.Errorf("a second backup: %s %s", second.Status, body)
	}
	newTable(client, "canaries")
	if _, err := os.Stat(filepath.Join(dir, "backup.tmp")); err != nil {
		t.Errorf("the first backup is over: %v", err)
	}
	first.Body.Close()
	gone(t, dir)
	await.True(t, "the next backup is taken", func() bool { // the first one may end a moment later
		_, err := e.BackUp(t.Context(), filepath.Join(t.TempDir(), "backup"))
		return err == nil
	})
}

// TestCloseCancelsARunningBackup closes an emulator during a backup that its client does not read.
func TestCloseCancelsARunningBackup(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	e, err := emulator.Start(console.Option(), emulator.WithData(dir))
	if err != nil {
		t.Fatal(err)
	}
	fill(t, dynamodb.NewFromConfig(e.AWSConfig()))
	answer, _ := askForBackup(t, e.DynamoDBURL())
	defer answer.Body.Close()
	if err := e.Close(); err != nil {
		t.Errorf("closing: %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "backup.tmp")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the checkpoint is left: %v", err)
	}
}

// pausedReader reads a number of bytes, and then waits for a channel to be closed.
type pausedReader struct {
	io.Reader
	left int
	held chan struct{} // closed while it waits
	next <-chan struct{}
}

func (r *pausedReader) Read(p []byte) (int, error) {
	if r.left <= 0 {
		if r.held != nil {
			close(r.held)
			r.held = nil
		}
		<-r.next
	}
	n, err := r.Reader.Read(p)
	r.left -= n
	return n, err
}

// TestKillDuringABackupLosesNothing kills an emulator during writes and a backup. No acknowledged write is lost, the
// next start removes the checkpoint, and the receiver has no folder.
func TestKillDuringABackupLosesNothing(t *testing.T) {
	t.Parallel()
	dir, parent := t.TempDir(), t.TempDir()
	p, url, _ := startProcess(t, dir)
	p.client = clientOf(url)
	makeCrashTable(t, p.client)
	fill(t, p.client)
	answer, size := askForBackup(t, url)
	defer answer.Body.Close()
	killed, held, received := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() {
		in := &pausedReader{Reader: answer.Body, left: 1 << 20, held: held, next: killed}
		_, err := emulator.ReceiveBackup(context.Background(), in, size,
			emulator.BackupTarget{Dir: filepath.Join(parent, "backup")})
		received <- err
	}()
	<-held
	workers := []*crashWorker{{name: "w0", acknowledged: map[string]string{}, random: rand.New(rand.NewPCG(1, 1))}}
	killDuring(t, p, 100, workers, func(w *crashWorker) error { return w.write(p.client) })
	if _, err := os.Stat(filepath.Join(dir, "backup.tmp")); err != nil {
		t.Errorf("the backup was over before the kill: %v", err)
	}
	close(killed)
	if err := <-received; err == nil || !strings.Contains(err.Error(), "the backup is incomplete") {
		t.Errorf("the receiver: %v", err)
	}
	if left, err := os.ReadDir(parent); err != nil || len(left) > 0 {
		t.Errorf("the receiver has %v, %v", left, err)
	}
	again := startEmulatorProcess(t, dir)
	defer again.kill()
	again.checkAll(t, workers)
	gone(t, dir)
}

// TestInvalidBackupsAreRefused requests backups of emulators in memory, and with a foreign origin.
func TestInvalidBackupsAreRefused(t *testing.T) {
	t.Parallel()
	e := emulator.Run(t, console.Option())
	answer, _ := askForBackup(t, e.DynamoDBURL())
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusConflict || !strings.Contains(string(body),
		"start the emulator with --data") {
		t.Errorf("in memory: %s %s %v", answer.Status, body, err)
	}
	if _, err := e.BackUp(t.Context(), filepath.Join(t.TempDir(), "backup")); err == nil ||
		!strings.Contains(err.Error(), "--data") {
		t.Errorf("in memory, in Go: %v", err)
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, e.DynamoDBURL()+"/_tabletop/backup", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Origin", "https://evil.example")
	foreign, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	if foreign.Body.Close(); foreign.StatusCode != http.StatusForbidden {
		t.Errorf("a page of another origin: %s", foreign.Status)
	}
}
