package cli

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/emulator/console"
	"github.com/tabletop-db/tabletop/features/targets"
	"github.com/tabletop-db/tabletop/loadtest/result"
)

// sharded is a profile whose limits need data of both shards.
const sharded = `
id: %s
system: %s
title: Sharded
figure: none
stages: [{rate: 60, duration: 500ms}]
population: {%s}
mix: [%s]
limits: [%s]
`

// shardsStartIn is longer than a busy machine stands still: a shard that learns of the start after it fails.
const shardsStartIn = "8s"

// TestTwoShardsMakeOneRun runs two generators on one emulator, each with a backend of its own, and merges them: the
// report is that of a run, and nothing is lost.
func TestTwoShardsMakeOneRun(t *testing.T) {
	t.Parallel()
	for id, p := range map[string][4]string{
		"TL-L1": {"telemetry", "devices: 6, keys: 3, readings: 2", "{request: ingest, weight: 2, batch: 2}, " +
			"{request: repeat, weight: 1}", "{id: TL-L1, of: lost, at_most: 0}, {id: TL-L1, of: duplicated, at_most: 0}, " +
			"{id: TL-L1, of: unacknowledged, at_most: 0}, {id: TL-L1, of: item_count, at_least: 12}"},
		"PE-L4": {"devicetoken", "users: 2, devices: 3", "{request: register, weight: 1}, {request: install, weight: 1}, " +
			"{request: devices, weight: 1}", "{id: PE-L4, of: stale_registrations, at_most: 0}, " +
			"{id: PE-L4, of: lost, at_most: 0}, {id: PE-L4, of: unacknowledged, at_most: 0}"},
		"KF-L3": {"kefir", "users: 2, batches: 2, events: 2, reminders: 1, devices: 1", "{request: batch, weight: 1}, " +
			"{request: note, weight: 1}", "{id: KF-L3, of: error_share, at_most: 0}"},
		"VR-L1": {"verification", "clients: 3, cases: 2", "{request: create, weight: 1}, {request: case, weight: 1}, " +
			"{request: announce, weight: 1}", "{id: VR-L1, of: error_share, at_most: 0}"},
		"SV-L1": {"table", "items: 50, bytes: 200", "{request: put, weight: 1}, {request: batch-get, weight: 1, batch: 5}",
			"{id: SV-L1, of: unprocessed_items, at_most: 0}, {id: SV-L1, of: read_units_per_second, at_least: 1}"},
	} {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			file, dir := filepath.Join(folder, "profile.yaml"), filepath.Join(folder, "shards")
			text := fmt.Sprintf(sharded, id, p[0], p[1], p[2], p[3]+", {id: "+id+", of: error_share, at_most: 0}")
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			db := "url=" + emulator.Run(t).DynamoDBURL()
			var both sync.WaitGroup
			for range 2 {
				both.Go(func() {
					got := runCommand(t.Context(), nil, "loadtest", "run", file, "--target", db, "--shard", "auto/2",
						"--shard-dir", dir, "--start-in", shardsStartIn)
					if got.status != 0 || !strings.Contains(got.stdout, "/2 sent 15 requests") {
						t.Errorf("%+v", got)
					}
				})
			}
			got := runCommand(t.Context(), nil, "loadtest", "merge", dir, "--wait", "5m", "--report", folder)
			both.Wait()
			if got.status != 0 || !strings.Contains(got.stdout, "0 failed, 0 not measured") ||
				!strings.Contains(got.stdout, "30") {
				t.Errorf("%+v", got)
			}
			if _, err := os.Stat(filepath.Join(folder, "loadtest.html")); err != nil {
				t.Error(err)
			}
			got = runCommand(t.Context(), nil, "loadtest", "merge", filepath.Join(dir, id+".shard-2-of-2.json"))
			wantRefusal(t, got, "shard 1/2 of "+id+" is missing: wait for it, or name its file too")
		})
	}
}

// TestShardsMeasureHeat checks that the heat of a sharded run on an emulator covers the requests of all shards, and
// nothing else.
func TestShardsMeasureHeat(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	file, dir := filepath.Join(folder, "profile.yaml"), filepath.Join(folder, "shards")
	text := fmt.Sprintf(sharded, "SV-L1", "table", "items: 50, bytes: 200", "{request: put, weight: 1}, {request: get, "+
		"weight: 1}", "{id: SV-L1, of: key_share, at_most: 1}, {id: SV-L1, of: throttled, at_most: 0}, "+
		"{id: SV-L1, of: partition_use, at_most: 1}")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	db := "url=" + emulator.Run(t, console.Option()).DynamoDBURL()
	var shards sync.WaitGroup
	for range 3 {
		shards.Go(func() {
			if got := runCommand(t.Context(), nil, "loadtest", "run", file, "--target", db, "--shard", "auto/3",
				"--shard-dir", dir, "--start-in", shardsStartIn); got.status != 0 {
				t.Errorf("%+v", got)
			}
		})
	}
	shards.Wait()
	got := runCommand(t.Context(), nil, "loadtest", "merge", dir, "--report", folder)
	if got.status != 0 || !strings.Contains(got.stdout, "0 failed, 0 not measured") {
		t.Errorf("%+v", got)
	}
	var reports []result.Report
	report, err := os.ReadFile(filepath.Join(folder, "loadtest.json"))
	if err != nil || json.Unmarshal(report, &reports) != nil || len(reports) != 1 || len(reports[0].Heat) != 1 ||
		len(reports[0].Consumed) != 1 {
		t.Fatalf("%v, %.2000s", err, report)
	}
	heat, consumed := reports[0].Heat[0], reports[0].Consumed[0]
	if heat.Reads != consumed.ReadUnits || heat.Writes != consumed.WriteUnits || heat.Writes == 0 || heat.Reads == 0 ||
		heat.WritesPerSecond != consumed.WritesPerSecond {
		t.Errorf("heat %+v, consumed %+v", heat, consumed)
	}
}

// TestHeatIsThatOfTheRun checks that heat is read from an emulator, without the tables of others, and from nothing
// else.
func TestHeatIsThatOfTheRun(t *testing.T) {
	t.Parallel()
	db := emulator.Run(t, console.Option())
	putItem(t, db, "1")
	target := &targets.Target{Name: "url=" + db.DynamoDBURL(), Endpoint: db.DynamoDBURL()}
	for prefix, want := range map[string]int{"ord": 1, "mine-": 0} {
		if tables, err := heatReader(t.Context(), target, prefix)(t.Context()); err != nil || len(tables) != want {
			t.Errorf("with prefix %s: %+v, %v", prefix, tables, err)
		}
	}
	other := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(other.Close)
	target.Name, target.Endpoint = "url="+other.URL, other.URL
	if heatReader(t.Context(), target, "mine-") != nil {
		t.Error("another database has heat")
	}
}

func TestShardsNeedASharedDatabase(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for want, args := range map[string]string{
		"--shard requires --shard-dir: a folder that all shards of the run share": "--shard 1/2",
		"--shard requires a database that all shards use: set --target url=http://HOST:PORT, aws, " +
			"cosmos=https://HOST:PORT or azure, or --backend, instead of embedded": "--shard 1/2 --shard-dir " + dir,
		"--shard cannot be combined with --tries, --history, --export or --record: a shard alone has no result": "--tries 2 " +
			"--shard 1/2 --target url=http://127.0.0.1:1 --shard-dir " + dir,
		`--shard: "3/2" is not a shard: use NUMBER/OF, such as 3/8, with at most 1000 shards`: "--shard 3/2 --target " +
			"url=http://127.0.0.1:1 --shard-dir " + dir,
	} {
		wantRefusal(t, runCommand(t.Context(), nil, append([]string{"loadtest", "run", "TL-L1"}, strings.Fields(args)...)...),
			want)
	}
	wantRefusal(t, runCommand(t.Context(), nil, "loadtest", "merge", dir), dir+" has no results of shards: name the "+
		"--shard-dir of tabletop loadtest run")
}

// TestMergeSkipsFilesInProgress checks that a file that a shard is writing, or was writing when it was killed, is not a
// result.
func TestMergeSkipsFilesInProgress(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, ".writing-TL-L1.shard-2-of-2.json"), []byte(`{"ver`), 0o600); err != nil {
		t.Fatal(err)
	}
	wantRefusal(t, runCommand(t.Context(), nil, "loadtest", "merge", dir), dir+" has no results of shards: name the "+
		"--shard-dir of tabletop loadtest run")
}

// TestMergeOfMissingFiles checks that the refusal names the path, and what to name instead.
func TestMergeOfMissingFiles(t *testing.T) {
	t.Parallel()
	missing := filepath.Join(t.TempDir(), "missing")
	_, err := os.ReadFile(missing)
	wantRefusal(t, runCommand(t.Context(), nil, "loadtest", "merge", missing), fmt.Sprintf("cannot read the measurements "+
		"of a shard: %v; name the --shard-dir of tabletop loadtest run, or files in it", err))
}

// TestMergeWaitsForFoldersOnly checks that --wait does not take a file for a folder.
func TestMergeWaitsForFoldersOnly(t *testing.T) {
	t.Parallel()
	file := writeFile(t, "TL-L1.shard-1-of-1.json", "{}")
	waited := runCommand(t.Context(), nil, "loadtest", "merge", file, "--wait", "1m")
	if got := runCommand(t.Context(), nil, "loadtest", "merge", file); got != waited || got.status != 2 {
		t.Errorf("%+v, with --wait %+v", got, waited)
	}
}
