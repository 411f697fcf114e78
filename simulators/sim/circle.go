package sim

// circleSize is the least number of people in a circle, if there are so many people.
const circleSize = 5

// Circles returns into how many circles a number of people are divided. People deal only with those of their circle, so
// that a shard can simulate whole circles.
func Circles(people int) int { return max(1, people/circleSize) }

// CircleOf returns the circle of a person, counted from 0. That of the person with this number, of so many people, does
// not depend on shards.
func CircleOf(number, people int) int { return number % Circles(people) }

// OthersInCircle returns the numbers of the people in a person's circle, without the person.
func OthersInCircle(number, people int) (others []int) {
	for n := CircleOf(number, people); n < people; n += Circles(people) {
		if n != number {
			others = append(others, n)
		}
	}
	return others
}
