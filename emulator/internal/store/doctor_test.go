package store_test

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/internal/testutil/await"
	"github.com/tabletop-db/tabletop/internal/testutil/seeds"
)

func TestDoctorFindsNothingInSoundFolders(t *testing.T) {
	t.Parallel()
	for state, folder := range knownFolders() {
		dir := folder.write(t)
		report, err := store.Check(store.Options{Dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		if len(report.Findings) > 0 || report.Format != 4 || report.Entries != knownItems || report.Tables == 0 ||
			report.Logs < 2 {
			t.Errorf("%s: %+v", state, report)
		}
		if !maps.EqualFunc(folder, imageOf(t, dir), bytes.Equal) {
			t.Errorf("%s: the folder was changed", state)
		}
	}
}

const (
	doctorSeeds  = 12 // in the unit suite
	salvageSeeds = 6
)

// TestDoctorFindsDamage damages one file of a folder, by seed. Check finds everything that keeps a store from opening
// or reading the folder, and changes nothing.
func TestDoctorFindsDamage(t *testing.T) {
	t.Parallel()
	seeds.Run(t, doctorSeeds, func(t *testing.T, seed uint64) {
		t.Parallel()
		rng := rand.New(rand.NewPCG(seed, 6))
		state := knownStates[rng.IntN(len(knownStates))]
		image := maps.Clone(knownFolders()[state])
		t.Log(state, damageFile(rng, image))
		dir := image.write(t)
		report, err := store.Check(store.Options{Dir: dir})
		if !maps.EqualFunc(image, imageOf(t, dir), bytes.Equal) {
			t.Error("the folder was changed")
		}
		found := err != nil || report.Damaged()
		if err == nil {
			t.Log(report.Findings)
		}
		s, err := store.Open(store.Options{Dir: dir})
		if err == nil {
			err = errors.Join(readSafely(s), s.Close())
		}
		if err != nil && !found {
			t.Errorf("not found: %v", err)
		}
	})
}

// TestSalvageKeepsWhatIsReadable damages tables, logs and the manifest, by seed, and looks for each item in the
// salvaged folder: except for the reported losses, all items are unchanged.
func TestSalvageKeepsWhatIsReadable(t *testing.T) {
	t.Parallel()
	seeds.Run(t, salvageSeeds, func(t *testing.T, seed uint64) {
		t.Parallel()
		rng := rand.New(rand.NewPCG(seed, 7))
		image := maps.Clone(knownFolders()[knownStates[rng.IntN(len(knownStates))]])
		for name := range image {
			if !strings.HasSuffix(name, ".sst") && !strings.HasSuffix(name, ".log") && !strings.HasPrefix(name,
				"data/MANIFEST-") {
				continue
			}
			if rng.IntN(2) == 0 { // bits of several blocks
				for range 1 + rng.IntN(3) {
					image[name] = damages["bit flipped"](rng, bytes.Clone(image[name]))
				}
			}
		}
		dir, to := image.write(t), filepath.Join(t.TempDir(), "new")
		result, err := store.Salvage(store.Options{Dir: dir}, store.Options{Dir: to})
		if err != nil {
			t.Fatal(err)
		}
		if !maps.EqualFunc(image, imageOf(t, dir), bytes.Equal) {
			t.Error("the damaged folder was changed")
		}
		checkSalvaged(t, to, result)
	})
}

// TestSalvageGoesOnAfterALogThatCannotBeOpened damages the first bytes of each log, by which an encrypted file is
// known: that log is lost, and everything in the others is there.
func TestSalvageGoesOnAfterALogThatCannotBeOpened(t *testing.T) {
	t.Parallel()
	killed := knownFolders()["killed"]
	logs := logsOf(killed)
	for n, name := range logs {
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			image := maps.Clone(killed)
			image[name] = bytes.Clone(image[name])
			image[name][n%4] ^= 4
			to := filepath.Join(t.TempDir(), "new")
			result, err := store.Salvage(store.Options{Dir: image.write(t)}, store.Options{Dir: to})
			if err != nil {
				t.Fatal(err)
			}
			all := checkSalvaged(t, to, result)
			if len(result.Lost) != 1 || result.Lost[0].File != filepath.FromSlash(name) {
				t.Errorf("lost is %v", result.Lost)
			}
			for i, item := range map[int]int{0: knownOlder, len(logs) - 1: knownItems - 1} {
				key, want := knownItem(item)
				if got := all[string(key)]; i != n && got != string(want) {
					t.Errorf("item %d of %s is %.20q", item, logs[i], got)
				}
			}
		})
	}
}

// TestDoctorReadsTheOtherFilesIfTheDiskRefusesOne refuses the reads of one file. That is one finding, and what is in
// the other files is salvaged; a start is still refused.
func TestDoctorReadsTheOtherFilesIfTheDiskRefusesOne(t *testing.T) {
	t.Parallel()
	killed := knownFolders()["killed plain"]
	for name, lost := range map[string]bool{"INTEGRITY": false, "data/MANIFEST-": false, logsOf(killed)[0]: true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			disk := newFaultyDisk()
			copyToDisk(t, disk, killed.write(t))
			disk.set(fault{at: 1, err: broken, reads: true, only: func(_, path string) bool {
				return strings.HasPrefix(filepath.ToSlash(path), "/db/"+name)
			}})
			from, to := store.Options{Dir: "/db", Disk: disk}, store.Options{Dir: filepath.Join(t.TempDir(), "new")}
			report, err := store.Check(from)
			if err != nil || len(report.Findings) != 1 || !report.Damaged() ||
				!strings.Contains(report.Findings[0].String(), "cannot be read: "+broken.Error()) {
				t.Errorf("the doctor says %+v, %v", report, err)
			}
			result, err := store.Salvage(from, to)
			if err != nil {
				t.Fatal(err)
			}
			checkSalvaged(t, to.Dir, result)
			if (len(result.Lost) > 0) != lost || result.Kept[""] < knownOlder || !lost && result.Kept[""] != knownItems {
				t.Errorf("kept %v, lost %v", result.Kept, result.Lost)
			}
			var refusal *store.OpenError
			if _, err := store.Open(from); !errors.As(err, &refusal) || refusal.Problem != "cannot be read and written" {
				t.Errorf("a start: %v", err)
			}
		})
	}
}

// TestAManifestThatTheDiskRefusesIsNotCalledEmpty checks a folder without an integrity record, whose manifest the disk
// opens and does not read.
func TestAManifestThatTheDiskRefusesIsNotCalledEmpty(t *testing.T) {
	t.Parallel()
	disk := newFaultyDisk()
	copyToDisk(t, disk, filepath.Join("testdata", "format-1"))
	disk.set(fault{at: 1, err: broken, reads: true, only: func(op, path string) bool {
		return op == "read" && strings.HasPrefix(filepath.Base(path), "MANIFEST-")
	}})
	report, err := store.Check(store.Options{Dir: "/db", Disk: disk})
	if err != nil || len(report.Findings) != 1 || strings.Contains(report.Findings[0].String(), "empty") {
		t.Errorf("the doctor says %+v, %v", report, err)
	}
}

// TestADamagedLogIsNoLostManifest damages logs in the middle, so that the database does not open, and adds one to a
// closed folder: the manifest, which is sound, still tells which tables are current.
func TestADamagedLogIsNoLostManifest(t *testing.T) {
	t.Parallel()
	for state, folder := range knownFolders() {
		image, lost := maps.Clone(folder), 0
		if strings.HasPrefix(state, "closed") {
			image["data/999999.log"] = []byte{}
		} else {
			for _, name := range logsOf(image) {
				image[name] = bytes.Clone(image[name])
				image[name][300_000] ^= 1
				lost++
			}
		}
		to := filepath.Join(t.TempDir(), "new")
		result, err := store.Salvage(store.Options{Dir: image.write(t)}, store.Options{Dir: to})
		if err != nil {
			t.Fatal(err)
		}
		checkSalvaged(t, to, result)
		if result.Orphan || result.Tables == 0 || len(result.Lost) != lost {
			t.Errorf("%s: the manifest is told as lost: %v; %d tables; lost is %v", state, result.Orphan, result.Tables,
				result.Lost)
		}
	}
}

// TestSalvageTakesNothingFromFormerTables puts a table that was compacted away back into a folder with a damaged log.
// Its versions have higher sequence numbers than the current ones, which the compaction set to 0.
func TestSalvageTakesNothingFromFormerTables(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	reopen := func(s *store.Store, value string) *store.Store { // which writes the log to a table
		put(t, s, "key", value)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		return open(t, dir)
	}
	s := reopen(open(t, dir), "former")
	former := imageOf(t, dir)
	maps.DeleteFunc(former, func(name string, _ []byte) bool { return !strings.HasSuffix(name, ".sst") })
	await.True(t, "a compaction", func() bool {
		s = reopen(s, "current")
		names, err := s.IdleTables()
		return err == nil && len(names) > 0 && !slices.ContainsFunc(names, func(name string) bool {
			return former["data/"+name] != nil
		})
	})
	for i := range 20 {
		put(t, s, fmt.Sprint(i), strings.Repeat("x", 20_000))
	}
	image := imageOf(t, dir)
	maps.Copy(image, former)
	for _, name := range logsOf(image) {
		if len(image[name]) > 300_000 {
			image[name][100_000] ^= 1
		}
	}
	to := filepath.Join(t.TempDir(), "new")
	result, err := store.Salvage(store.Options{Dir: image.write(t)}, store.Options{Dir: to})
	if err != nil {
		t.Fatal(err)
	}
	if got := value(t, open(t, to), "key"); got != "current" || len(result.Lost) != 1 {
		t.Errorf("the key has its %s value; lost is %v", got, result.Lost)
	}
}

// logsOf returns the names of the logs of an image, in order.
func logsOf(image folderImage) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(image)), func(name string) bool { return !isLog("", name) })
}

// checkSalvaged returns what is in a salvaged folder.
func checkSalvaged(t *testing.T, dir string, result *store.Salvaged) (all map[string]string) {
	t.Helper()
	kept, logLost := 0, false
	all = readHistory(t, open(t, dir))
	for _, f := range result.Lost {
		t.Log(f)
		logLost = logLost || strings.HasSuffix(f.File, ".log")
	}
	for i := range knownItems + knownNewer {
		key, want := knownItem(i)
		got := all[string(key)]
		if got != "" {
			kept++
		}
		if i >= knownItems { // deleted
			want = nil
		}
		if got == string(want) || inLost(result.Lost, key) {
			continue
		}
		if !logLost {
			t.Errorf("item %d is not as it was, and not told as lost", i)
		} else if i >= knownNewer && i < knownOlder || got != "" && got != "old" && i < knownItems {
			t.Errorf("item %d has another value", i)
		}
	}
	if kept != result.Kept[""] {
		t.Errorf("%d items are told as kept, %d are there", result.Kept[""], kept)
	}
	checkCounts(t, result, knownItems+knownNewer-kept)
	if len(result.Lost) == 0 && kept != knownItems {
		t.Errorf("%d of %d items, and nothing is told as lost", kept, knownItems)
	}
	return all
}

// checkCounts checks that no more items are missing than are reported as lost.
func checkCounts(t *testing.T, result *store.Salvaged, missing int) {
	t.Helper()
	atMost := map[string]int64{} // by file
	for _, lost := range result.Lost {
		if lost.AtMost < 0 {
			return
		}
		atMost[lost.File] = lost.AtMost
	}
	sum := int64(knownNewer) // which were deleted
	for _, n := range atMost {
		sum += n
	}
	if int64(missing) > sum {
		t.Errorf("%d items are missing, and %d are told to be lost at most, %d of them deleted", missing, sum, knownNewer)
	}
}

func inLost(lost []store.LostEntries, key []byte) bool {
	for _, f := range lost {
		if strings.HasSuffix(f.File, ".sst") && bytes.Compare(f.From, key) <= 0 &&
			(f.To == nil || bytes.Compare(key, f.To) <= 0) {
			return true
		}
	}
	return false
}
