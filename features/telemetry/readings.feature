Feature: Readings are found by device and time
  Readings are queried by their device and the time at which they were taken.

  Background:
    Given the device "greenhouse" is registered

  @TL-P5
  Scenario: The latest reading of a device is found
    Given "greenhouse" has delivered readings taken 30, 10 and 20 minutes ago
    When the latest reading of "greenhouse" is requested
    Then it is the one taken 10 minutes ago

  @TL-P5
  Scenario: A device without readings has no latest reading
    When the latest reading of "greenhouse" is requested
    Then it is not found

  @TL-P6.bounds
  Scenario: The readings of a period include both ends
    Given "greenhouse" has delivered readings taken 50, 40, 30, 20 and 10 minutes ago
    When the readings of "greenhouse" from 40 to 20 minutes ago are requested
    Then they are the ones taken 40, 30 and 20 minutes ago

  @TL-P6.bounds
  Scenario: A reading one millisecond outside the period is left out
    Given "greenhouse" has delivered readings one millisecond before, at and after the time 30 minutes ago
    When the readings of "greenhouse" from 30 to 30 minutes ago are requested
    Then they are the ones taken 30 minutes ago

  @TL-P6.bounds
  Scenario: Two readings of the same millisecond are both found
    Given "greenhouse" has delivered the readings "r1, r2" taken 30 minutes ago
    When the readings of "greenhouse" from 30 to 30 minutes ago are requested
    Then they are the readings "r1, r2"

  @TL-P6.order
  Scenario: Readings can be listed newest first
    Given "greenhouse" has delivered readings taken 50, 40, 30, 20 and 10 minutes ago
    When the readings of "greenhouse" from 40 to 20 minutes ago are requested, newest first
    Then they are the ones taken 20, 30 and 40 minutes ago

  @TL-P6.pages
  Scenario: A long period comes in pages, each reading once
    Given "greenhouse" has delivered 25 readings a minute apart
    When all its readings are requested in pages of 10
    Then the pages have 10, 10 and 5 readings
    And every reading is on one page, oldest first

  @TL-P6.own
  Scenario: The readings of another device are not included
    Given the device "cellar" is registered
    And "greenhouse" has delivered readings taken 30 minutes ago
    And "cellar" has delivered readings taken 30 and 20 minutes ago
    When the readings of "greenhouse" from 60 to 0 minutes ago are requested
    Then they are the ones taken 30 minutes ago

  @TL-R6
  Scenario: Times with fewer digits sort before times with more
    Given the service keeps readings for 36500 days
    And "greenhouse" has delivered the reading "early" taken at 946684800000 milliseconds
    And "greenhouse" has delivered the reading "late" taken 3 minutes ago
    When all its readings are requested in pages of 10
    Then they are the readings "early, late"
