Feature: Data expires
  Readings are kept for their retention period and markers for 30 days; then they are deleted automatically.

  Background:
    Given the device "greenhouse" is registered

  @TL-R8.reading
  Scenario: The retention is configurable
    Given the service keeps readings for 7 days
    When "greenhouse" delivers the reading "r1" taken 180 minutes ago
    Then it is stored
    And its expiry is 7 days after its time

  @TL-R8.reading
  Scenario: Fractions of a second are cut off, not rounded
    When "greenhouse" delivers a reading taken 1 millisecond before a full second
    Then its expiry is 90 days later, with the fraction of the second cut off
