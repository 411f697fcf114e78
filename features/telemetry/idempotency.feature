Feature: A batch counts once
  Devices send again whenever they are unsure. However often and from however many sides a batch comes, it is stored
  once.

  Background:
    Given the device "greenhouse" is registered

  @TL-R9.again
  Scenario: A batch sent again at once is a duplicate
    Given "greenhouse" has delivered the reading "r1" taken 3 minutes ago
    When "greenhouse" delivers "r1" again
    Then it is a duplicate

  @TL-R9.again
  Scenario: A batch sent again after days offline is a duplicate
    Given "greenhouse" has delivered the reading "r1" taken 3 minutes ago
    When 29 days pass
    And "greenhouse" delivers "r1" again
    Then it is a duplicate

  @TL-R9.again
  Scenario: A batch sent again after the service crashed and came back is a duplicate
    Given "greenhouse" has delivered the reading "r1" taken 3 minutes ago
    When the service starts anew
    And "greenhouse" delivers "r1" again
    Then it is a duplicate

  @TL-R9.lost
  Scenario: The answer to the device is lost, the device sends again
    Given the service's next answer to a delivery is lost
    When "greenhouse" delivers the reading "r1" taken 3 minutes ago
    Then the device hears nothing
    When "greenhouse" delivers "r1" again
    Then it is a duplicate

  @TL-R9.race
  Scenario: 64 senders of one batch at once, one stores it
    When 64 senders deliver the reading "r1" of "greenhouse" at once
    Then 1 is stored and 63 are duplicates

  @TL-R9.race
  Scenario: 16 senders of the same 20 batches in different orders, each batch is stored once
    When 16 senders deliver the same 20 readings of "greenhouse" at once, each in another order
    Then 20 are stored and 300 are duplicates

  @TL-R10 @needs:move-time @needs:private-store
  Scenario: A batch sent again after 30 days is the same reading
    Given "greenhouse" has delivered the reading "r1" taken 3 minutes ago
    When 31 days pass
    And "greenhouse" delivers "r1" again
    Then it is stored
    And its latest reading is "r1"
