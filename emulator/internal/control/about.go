package control

// About is an emulator's description of itself.
type About struct {
	Version   string            `json:"version" example:"1.0.0"`
	Behaviour string            `json:"behaviour" doc:"strict, or the cloud behaviours that are enabled" example:"strict"`
	Seed      uint64            `json:"seed" doc:"Seed of all random numbers" example:"1"`
	Data      string            `json:"data" doc:"Data folder; empty: data is in memory" example:""`
	Addresses map[string]string `json:"addresses,omitempty" doc:"Endpoints by service" example:"{\"dynamodb\":\"http://127.0.0.1:8000\"}"`
	Storage   Storage           `json:"storage" doc:"Status of the storage"`
	On        []string          `json:"on" nullable:"false" doc:"Enabled features, such as identities, recording and faults"`
}

// Values of Storage.Status.
const (
	StorageOK     = "ok"
	StorageLow    = "low"    // the disk is nearly full
	StorageFull   = "full"   // writes are refused until there is more space
	StorageFailed = "failed" // writes are refused until the emulator is started again
)

// Storage is the state of the data folder.
type Storage struct {
	Status     string `json:"status" enum:"ok,low,full,failed" doc:"low: the disk is nearly full; full: writes are refused until there is space; failed: writes are refused until the emulator is restarted" example:"ok"`
	Cause      string `json:"cause,omitempty" doc:"Why the status is not ok, and what to do" example:""`
	FreeBytes  uint64 `json:"freeBytes,omitempty" doc:"Free space of the data folder's disk" example:"50000000000"`
	FloorBytes uint64 `json:"floorBytes,omitempty" doc:"Free space below which writes are refused" example:"67108864"`
}

// RefusesWrites reports whether writes are refused.
func (s Storage) RefusesWrites() bool { return s.Status == StorageFull || s.Status == StorageFailed }
