package fleet

// Purposes of random streams; no two purposes share numbers.
const (
	forDevice = iota + 1
	forHalfDay
	forBoot
	forResponse
	forWeather
	forNoise
	forFault
)
