Feature: Data ends when its time is over
  Readings are kept for their retention and markers for 30 days; then they go by themselves.

  Background:
    Given the device "greenhouse" is registered

  @TL-R8.reading
  Scenario: The retention is a setting
    Given the service keeps readings for 7 days
    When "greenhouse" delivers the reading "r1" taken 180 minutes ago
    Then it is stored

  @TL-R8.reading
  Scenario: The parts of a second are cut, not rounded
    When "greenhouse" delivers a reading taken 1 millisecond before a full second
    Then its expiry is its second, cut, and 90 days
