package pii

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/kms"
	"github.com/tink-crypto/tink-go/v2/tink"

	"github.com/tabletop-db/tabletop/emulator"
)

const place = "AuthBridgeTable|CASE#ver_1|customerMetadata.email"

// memory is a store in memory.
type memory struct {
	mu    sync.Mutex
	kept  WrappedKeyset
	reads int
	fail  error
}

func (m *memory) Keyset(context.Context) (WrappedKeyset, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.reads++
	return m.kept, m.kept.Version > 0, m.fail
}

func (m *memory) SaveKeyset(_ context.Context, w WrappedKeyset) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if w.Version != m.kept.Version+1 {
		return false, nil
	}
	m.kept = w
	return true, nil
}

func localMaster(t testing.TB) tink.AEADWithContext {
	t.Helper()
	text, err := NewLocal()
	if err != nil {
		t.Fatal(err)
	}
	master, err := Local(text)
	if err != nil {
		t.Fatal(err)
	}
	return master
}

func must[T any](t testing.TB) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// TestValuesAreBoundToTheirPlace checks that a value opens in its place and nowhere else, and reveals nothing (VR-R5).
func TestValuesAreBoundToTheirPlace(t *testing.T) {
	t.Parallel()
	ctx, keyring := t.Context(), New(localMaster(t), &memory{}, "keyset", time.Now)
	const email = "thabo@example.com"
	sealed := must[string](t)(keyring.Seal(ctx, place, email))
	if again := must[string](t)(keyring.Seal(ctx, place, email)); again == sealed {
		t.Error("two seals of one text are the same")
	}
	if !strings.HasPrefix(sealed, "v1.") || strings.Contains(sealed, "thabo") {
		t.Errorf("sealed %s", sealed)
	}
	if got := must[string](t)(keyring.Open(ctx, place, sealed)); got != email {
		t.Errorf("opened %q", got)
	}
	changed := sealed[:len(sealed)-2] + map[bool]string{true: "AA", false: "BB"}[!strings.HasSuffix(sealed, "AA")]
	for name, try := range map[string][2]string{
		"another item":      {strings.Replace(place, "ver_1", "ver_2", 1), sealed},
		"another attribute": {strings.Replace(place, "email", "phone", 1), sealed},
		"a changed value":   {place, changed}, "clear text": {place, email}, "nothing": {place, ""},
		"half":      {place, sealed[:5]},
		"no base64": {place, "v1.*"},
	} {
		if got, err := keyring.Open(ctx, try[0], try[1]); !errors.Is(err, ErrTampered) || got != "" {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

// TestRotation checks that the new key seals at once, that values of older keys still open, and that two instances
// agree.
func TestRotation(t *testing.T) {
	t.Parallel()
	ctx, master, store := t.Context(), localMaster(t), &memory{}
	first, second := New(master, store, "keyset", time.Now), New(master, store, "keyset", time.Now)
	old := must[string](t)(first.Seal(ctx, place, "old"))
	must[string](t)(second.Open(ctx, place, old)) // the second has cached the first keyset now
	info := must[KeysetInfo](t)(first.Rotate(ctx))
	if info.Keys != 2 {
		t.Errorf("%+v", info)
	}
	renewed := must[string](t)(first.Seal(ctx, place, "new"))
	_, id, err := parse(renewed)
	if err != nil || id != info.PrimaryKeyID {
		t.Errorf("sealed by %d, not %d", id, info.PrimaryKeyID)
	}
	for want, value := range map[string]string{"old": old, "new": renewed} {
		for name, keyring := range map[string]*Keyring{"first": first, "second": second} {
			if got := must[string](t)(keyring.Open(ctx, place, value)); got != want {
				t.Errorf("%s opened %q, not %q", name, got, want)
			}
		}
	}
	if info := must[KeysetInfo](t)(second.Rotate(ctx)); info.Keys != 3 {
		t.Errorf("%+v", info)
	}
}

// TestConcurrentFirstUse checks that concurrent first uses create one keyset.
func TestConcurrentFirstUse(t *testing.T) {
	t.Parallel()
	master, store := localMaster(t), &memory{}
	var all sync.WaitGroup
	sealed := make([]string, 8)
	for i := range sealed {
		all.Go(func() { sealed[i], _ = New(master, store, "keyset", time.Now).Seal(t.Context(), place, "x") })
	}
	all.Wait()
	keyring := New(master, store, "keyset", time.Now)
	for _, value := range sealed {
		must[string](t)(keyring.Open(t.Context(), place, value))
	}
	if store.kept.Version != 1 {
		t.Errorf("version %d", store.kept.Version)
	}
}

// TestKMS wraps the keyset by a KMS key: when disabled, it opens nothing after five minutes, and when enabled it does
// again; another master key does not work.
func TestKMS(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	client := kms.NewFromConfig(emulator.Run(t).AWSConfig(), func(o *kms.Options) { o.Retryer = aws.NopRetryer{} })
	const alias = "alias/verification-pii"
	key := must[*kms.CreateKeyOutput](t)(client.CreateKey(ctx, nil)).KeyMetadata.KeyId
	must[*kms.CreateAliasOutput](t)(client.CreateAlias(ctx, &kms.CreateAliasInput{AliasName: aws.String(alias),
		TargetKeyId: key}))
	now, store := time.Now(), &memory{}
	master := must[tink.AEADWithContext](t)(KMS(ctx, client, alias))
	keyring := New(master, store, "keyset", func() time.Time { return now })
	sealed := must[string](t)(keyring.Seal(ctx, place, "x"))
	must[*kms.DisableKeyOutput](t)(client.DisableKey(ctx, &kms.DisableKeyInput{KeyId: key}))
	must[string](t)(keyring.Open(ctx, place, sealed))
	now = now.Add(cacheLifetime)
	if _, err := keyring.Open(ctx, place, sealed); !errors.Is(err, ErrUnavailable) {
		t.Errorf("with its key disabled: %v", err)
	}
	if _, err := keyring.Rotate(ctx); !errors.Is(err, ErrUnavailable) {
		t.Errorf("rotated with its key disabled: %v", err)
	}
	must[*kms.EnableKeyOutput](t)(client.EnableKey(ctx, &kms.EnableKeyInput{KeyId: key}))
	must[string](t)(keyring.Open(ctx, place, sealed))

	if _, err := New(localMaster(t), store, "keyset", time.Now).Open(ctx, place, sealed); !errors.Is(err, ErrUnavailable) {
		t.Errorf("by another master key: %v", err)
	}
	if _, err := New(master, store, "another", time.Now).Open(ctx, place, sealed); !errors.Is(err, ErrUnavailable) {
		t.Errorf("a keyset of another place: %v", err)
	}
	if _, err := New(master, &memory{}, "keyset", time.Now).Open(ctx, place, sealed); !errors.Is(err, ErrUnavailable) {
		t.Errorf("by a new keyset: %v", err)
	}
}

// hangingMaster is a master key whose calls hang, if told so, until their context ends.
type hangingMaster struct {
	tink.AEADWithContext
	hangs bool
	calls atomic.Int64
}

func (m *hangingMaster) DecryptWithContext(ctx context.Context, text, associatedData []byte) ([]byte, error) {
	m.calls.Add(1)
	if m.hangs {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return m.AEADWithContext.DecryptWithContext(ctx, text, associatedData)
}

// TestHangingMasterKey checks that calls that hang delay nobody who does not need them, that all callers who need one
// share it, and that they wait no longer than its timeout, or than they want to.
func TestHangingMasterKey(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		master := &hangingMaster{AEADWithContext: localMaster(t)}
		var later time.Duration
		keyring := New(master, &memory{}, "keyset", func() time.Time { return time.Now().Add(later) })
		sealed := must[string](t)(keyring.Seal(t.Context(), place, "x"))

		master.hangs = true
		var rotating sync.WaitGroup
		rotating.Go(func() {
			if _, err := keyring.Rotate(t.Context()); !errors.Is(err, ErrUnavailable) {
				t.Errorf("rotated: %v", err)
			}
		})
		synctest.Wait()
		start := time.Now()
		must[string](t)(keyring.Open(t.Context(), place, sealed))
		if waited := time.Since(start); waited > 0 {
			t.Errorf("opened with the cached keyset after %s", waited)
		}
		rotating.Wait()

		later, start = cacheLifetime, time.Now()
		master.calls.Store(0)
		impatient, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := keyring.Open(impatient, place, sealed); !errors.Is(err, context.DeadlineExceeded) ||
			time.Since(start) != time.Second {
			t.Errorf("after %s: %v", time.Since(start), err)
		}
		var waiting sync.WaitGroup
		for range 3 {
			waiting.Go(func() {
				if _, err := keyring.Open(t.Context(), place, sealed); !errors.Is(err, ErrUnavailable) {
					t.Errorf("opened: %v", err)
				}
			})
		}
		waiting.Wait()
		if waited := time.Since(start); waited != callTimeout || master.calls.Load() != 1 {
			t.Errorf("%d calls in %s", master.calls.Load(), waited)
		}
		master.hangs = false
		must[string](t)(keyring.Open(t.Context(), place, sealed))
	})
}

// slowMaster is a master key each of whose calls takes 3 seconds.
type slowMaster struct{ tink.AEADWithContext }

func (slowMaster) wait(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(3 * time.Second):
		return nil
	}
}

func (m slowMaster) EncryptWithContext(ctx context.Context, text, associatedData []byte) ([]byte, error) {
	if err := m.wait(ctx); err != nil {
		return nil, err
	}
	return m.AEADWithContext.EncryptWithContext(ctx, text, associatedData)
}

func (m slowMaster) DecryptWithContext(ctx context.Context, text, associatedData []byte) ([]byte, error) {
	if err := m.wait(ctx); err != nil {
		return nil, err
	}
	return m.AEADWithContext.DecryptWithContext(ctx, text, associatedData)
}

// TestSlowMasterKey checks that a rotation whose calls each return in time succeeds, adds one key, and seals with it.
func TestSlowMasterKey(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		fast, store := localMaster(t), &memory{}
		must[string](t)(New(fast, store, "keyset", time.Now).Seal(t.Context(), place, "x"))
		keyring := New(slowMaster{fast}, store, "keyset", time.Now)
		info, err := keyring.Rotate(t.Context())
		if err != nil || info.Keys != 2 || store.kept.Version != 2 {
			t.Fatalf("%+v, version %d, %v", info, store.kept.Version, err)
		}
		_, id, err := parse(must[string](t)(keyring.Seal(t.Context(), place, "x")))
		if err != nil || id != info.PrimaryKeyID {
			t.Errorf("sealed by %d, not %d: %v", id, info.PrimaryKeyID, err)
		}
		if loaded := must[*cachedKeyset](t)(New(fast, store, "keyset", time.Now).load(t.Context())); loaded.info() != info {
			t.Errorf("stored %+v, not %+v", loaded.info(), info)
		}
	})
}

// TestLateLoad checks that a load that began before a rotation and ends after it does not undo the rotation here.
func TestLateLoad(t *testing.T) {
	t.Parallel()
	ctx, store := t.Context(), &memory{}
	keyring := New(localMaster(t), store, "keyset", time.Now)
	must[string](t)(keyring.Seal(ctx, place, "x"))
	late := *keyring.cached
	info := must[KeysetInfo](t)(keyring.Rotate(ctx))
	keyring.cache(&late)
	_, id, err := parse(must[string](t)(keyring.Seal(ctx, place, "x")))
	if err != nil || id != info.PrimaryKeyID {
		t.Errorf("sealed by %d, not %d: %v", id, info.PrimaryKeyID, err)
	}
}

// TestStoreUnavailable checks that errors of the store are returned unchanged.
func TestStoreUnavailable(t *testing.T) {
	t.Parallel()
	away := errors.New("away")
	keyring := New(localMaster(t), &memory{fail: away}, "keyset", time.Now)
	if _, err := keyring.Seal(t.Context(), place, "x"); !errors.Is(err, away) || errors.Is(err, ErrUnavailable) {
		t.Error(err)
	}
}

// TestLocalRefuses checks that an invalid local keyset is refused with what it must be.
func TestLocalRefuses(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "{}", "no JSON", `{"primaryKeyId":1,"key":[]}`} {
		if _, err := Local([]byte(text)); err == nil || !strings.Contains(err.Error(), "must be a Tink keyset") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// FuzzOpen checks that only sealed values open.
func FuzzOpen(f *testing.F) {
	keyring := New(localMaster(f), &memory{}, "keyset", time.Now)
	sealed := must[string](f)(keyring.Seal(f.Context(), place, "x"))
	for _, seed := range []string{"", "v1.", "v1.AQ", sealed, sealed[:20], "v1.AQAAAAAAAAAA", "v2." + sealed[3:]} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, value string) {
		if text, err := keyring.Open(t.Context(), place, value); value != sealed && (err == nil || text != "") {
			t.Errorf("%q opened: %q", value, text)
		}
	})
}
