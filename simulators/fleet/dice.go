package fleet

// What a roll is for; two purposes never share numbers.
const (
	forDevice = iota + 1
	forHalfDay
	forBoot
	forAnswer
	forWeather
	forNoise
	forFault
)
