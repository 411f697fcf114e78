Feature: A batch is stored once
  Devices send again whenever they are unsure. However often a batch is delivered, and from however many senders, it
  is stored once.

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
    When the service restarts
    And "greenhouse" delivers "r1" again
    Then it is a duplicate

  @TL-R9.lost
  Scenario: A delivery that is repeated after a lost response is a duplicate
    Given the service's next response to a delivery is lost
    When "greenhouse" delivers the reading "r1" taken 3 minutes ago
    Then the device gets no response
    When "greenhouse" delivers "r1" again
    Then it is a duplicate

  @TL-R9.race
  Scenario: Of 64 simultaneous senders of one batch, one stores it
    When 64 senders deliver the reading "r1" of "greenhouse" at once
    Then 1 is stored and 63 are duplicates

  @TL-R9.race
  Scenario: 16 senders of the same 20 batches in different orders store each batch once
    When 16 senders deliver the same 20 readings of "greenhouse" at once, each in another order
    Then 20 are stored and 300 are duplicates

  @TL-R10 @needs:move-time @needs:private-store
  Scenario: A batch sent again after 30 days leaves its own reading
    Given "greenhouse" has delivered the reading "r1" taken 3 minutes ago
    When 31 days pass
    And "greenhouse" delivers "r1" again
    Then it is stored
    And its latest reading is "r1"
