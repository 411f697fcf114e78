Feature: A batch is stored once, on the wire
  The requests that the service sends to its store, the items that the store then holds, and the HTTP responses.

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
    When the service restarts
    And "greenhouse" delivers "r1" again
    Then table "device_readings" holds 1 item

  @TL-R9.lost
  Scenario: A delivery that is repeated after a lost response is a duplicate, on the wire
    Given the service's next response to a delivery is lost
    When "greenhouse" delivers the reading "r1" taken 3 minutes ago
    Then the device gets no response
    And table "device_readings" holds 1 item
    When "greenhouse" delivers "r1" again
    Then table "device_readings" holds 1 item

  @TL-R9.lost
  Scenario: A reading is reported as stored although the store's response was lost
    Given the store's next response to a transaction is lost
    When "greenhouse" delivers the reading "r1" taken 3 minutes ago
    Then it is stored
    And a response was lost
    And table "device_readings" holds 1 item
    And table "processed_batches" holds 1 item

  @TL-R9.race
  Scenario: Of 64 simultaneous senders of one batch, one stores it, on the wire
    When 64 senders deliver the reading "r1" of "greenhouse" at once
    Then table "device_readings" holds 1 item
    And table "processed_batches" holds 1 item

  @TL-R9.race
  Scenario: 16 senders of the same 20 batches in different orders store each batch once, on the wire
    When 16 senders deliver the same 20 readings of "greenhouse" at once, each in another order
    Then table "device_readings" holds 20 items

  @TL-R10 @needs:move-time @needs:private-store
  Scenario: A batch sent again after its marker expired leaves one reading
    Given "greenhouse" has delivered the reading "r1" taken 3 minutes ago
    When 31 days pass
    Then there is no item of "processed_batches" where "batch_id = '{batch of r1}'"
    When "greenhouse" delivers "r1" again
    Then table "device_readings" holds 1 item

  @TL-R10
  Scenario: A batch sent again after its marker was removed leaves one reading
    Given "greenhouse" has delivered the reading "r1" taken 3 minutes ago
    And the item of "processed_batches" where "batch_id = '{batch of r1}'" is removed from the store
    When "greenhouse" delivers "r1" again
    Then it is stored
    And table "device_readings" holds 1 item
    And its latest reading is "r1"

  @TL-R10 @TL-R7.name
  Scenario: A batch sent again after its marker was removed keeps the name that its device had
    Given "greenhouse" is named "North greenhouse"
    And "greenhouse" has delivered the reading "r1" taken 3 minutes ago
    And the item of "processed_batches" where "batch_id = '{batch of r1}'" is removed from the store
    And "greenhouse" is named "South greenhouse"
    When "greenhouse" delivers "r1" again
    Then it is stored
    And the item of "device_readings" where "hardware_id = '{greenhouse}' AND ts_batch = '{key of r1}'" has:
      | friendly_name | 'North greenhouse' |
    When "greenhouse" delivers "r1" again
    Then it is a duplicate

  @TL-D2.place
  Scenario: The store reports a duplicate as a cancelled transaction, unlike the document
    Given "greenhouse" has delivered the reading "r1" taken 3 minutes ago
    When the documented transaction for "r1" is sent again
    Then the store refuses it with TransactionCanceledException because "ConditionalCheckFailed, None"
    When "greenhouse" delivers "r1" again
    Then it is a duplicate

  @TL-D2.place
  Scenario Outline: A transaction cancelled for another reason is not reported as a duplicate: <reasons>
    Given the store cancels the next transaction because of "<reasons>"
    When "greenhouse" delivers the reading "r1" taken 3 minutes ago
    Then it is reported neither as stored nor as a duplicate
    And table "device_readings" holds no items

    Examples:
      | reasons                      |
      | None, ValidationError        |
      | None, ConditionalCheckFailed |

  @TL-D2.tried
  Scenario: A transaction that conflicts with another one is retried
    Given the store cancels the next transaction because of "TransactionConflict, None"
    When "greenhouse" delivers the reading "r1" taken 3 minutes ago
    Then it is stored
    And table "device_readings" holds 1 item
