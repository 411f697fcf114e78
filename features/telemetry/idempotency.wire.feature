Feature: A batch counts once, on the wire
  What the service asks of its store for this, what the store holds then, and what HTTP answers.

  Background:
    Given the device "greenhouse" is registered

  @TL-R9.again
  Scenario: A batch sent again at once is a duplicate, on the wire
    Given "greenhouse" has delivered the reading "r1" taken 3 minutes ago
    When "greenhouse" delivers "r1" again
    Then table "device_readings" holds 1 item

  @TL-R9.again
  Scenario: A batch sent again after days offline is a duplicate, on the wire
    Given "greenhouse" has delivered the reading "r1" taken 3 minutes ago
    When 29 days pass
    And "greenhouse" delivers "r1" again
    Then table "device_readings" holds 1 item

  @TL-R9.again
  Scenario: A batch sent again after the service crashed and came back is a duplicate, on the wire
    Given "greenhouse" has delivered the reading "r1" taken 3 minutes ago
    When the service starts anew
    And "greenhouse" delivers "r1" again
    Then table "device_readings" holds 1 item

  @TL-R9.lost
  Scenario: The answer to the device is lost, the device sends again, on the wire
    Given the service's next answer to a delivery is lost
    When "greenhouse" delivers the reading "r1" taken 3 minutes ago
    Then table "device_readings" holds 1 item
    When "greenhouse" delivers "r1" again
    Then table "device_readings" holds 1 item

  @TL-R9.lost
  Scenario: The store's answer is lost after it has stored, the device hears that it is stored
    Given the store's next answer to a transaction is lost
    When "greenhouse" delivers the reading "r1" taken 3 minutes ago
    Then it is stored
    And an answer was lost
    And table "device_readings" holds 1 item
    And table "processed_batches" holds 1 item

  @TL-R9.race
  Scenario: 64 senders of one batch at once, one stores it, on the wire
    When 64 senders deliver the reading "r1" of "greenhouse" at once
    Then table "device_readings" holds 1 item
    And table "processed_batches" holds 1 item

  @TL-R9.race
  Scenario: 16 senders of the same 20 batches in different orders, each batch is stored once, on the wire
    When 16 senders deliver the same 20 readings of "greenhouse" at once, each in another order
    Then table "device_readings" holds 20 items

  @TL-R10 @needs:move-time @needs:private-store
  Scenario: A batch sent again when its marker has expired leaves one reading
    Given "greenhouse" has delivered the reading "r1" taken 3 minutes ago
    When 31 days pass
    Then there is no item of "processed_batches" where "batch_id = '{batch of r1}'"
    When "greenhouse" delivers "r1" again
    Then table "device_readings" holds 1 item

  @TL-R10
  Scenario: A batch sent again when its marker is gone leaves one reading
    Given "greenhouse" has delivered the reading "r1" taken 3 minutes ago
    And the item of "processed_batches" where "batch_id = '{batch of r1}'" is taken out of the store
    When "greenhouse" delivers "r1" again
    Then it is stored
    And table "device_readings" holds 1 item
    And its latest reading is "r1"

  @TL-D2.place
  Scenario: The store reports a duplicate as a cancelled transaction, not as the document has it
    Given "greenhouse" has delivered the reading "r1" taken 3 minutes ago
    When the documented transaction for "r1" is made again
    Then the store refuses it with TransactionCanceledException because "ConditionalCheckFailed, None"
    When "greenhouse" delivers "r1" again
    Then it is a duplicate

  @TL-D2.place
  Scenario Outline: A transaction that is cancelled for another reason is not taken for a duplicate: <reasons>
    Given the store cancels the next transaction because of "<reasons>"
    When "greenhouse" delivers the reading "r1" taken 3 minutes ago
    Then it is not answered as stored or duplicate
    And table "device_readings" holds no items

    Examples:
      | reasons                      |
      | None, ValidationError        |
      | None, ConditionalCheckFailed |

  @TL-D2.tried
  Scenario: A transaction that meets another one is tried again
    Given the store cancels the next transaction because of "TransactionConflict, None"
    When "greenhouse" delivers the reading "r1" taken 3 minutes ago
    Then it is stored
    And table "device_readings" holds 1 item
