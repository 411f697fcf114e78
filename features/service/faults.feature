Feature: Faults
  Failures that occur in the cloud now and then can be injected here: which requests fail, how, and how often. Faults
  are set in Go, in a file, by tabletop faults or, as here, over HTTP.

  Background:
    Given an emulator
    And a table "accounts" with the key "id"

  @SV-F1.every @needs:commands
  Scenario: Every third request is throttled
    Given the fault {"do": "throttle", "operations": ["UpdateItem"], "every": 3}
    When 1 is added to "ann" 7 times
    Then 2 of them are refused with ThrottlingException
    And "ann" has 5

  @SV-F1.refused @SV-F1.times @needs:commands
  Scenario Outline: A request is refused by <do>
    Given the fault {"do": "<do>", "operations": ["Update*"], "tables": ["*accounts"], "times": 1}
    When 1 is added to "ann"
    Then it is refused with <code>
    When 1 is added to "ann"
    Then it succeeds
    And "ann" has 1

    Examples:
      | do             | code                        |
      | throttle       | ThrottlingException         |
      | internal-error | InternalServerError         |
      | unavailable    | ServiceUnavailableException |

  @SV-F2.after @needs:commands
  Scenario: A retry after a lost response applies an unconditional update twice
    Given the fault {"do": "cut-after-commit", "operations": ["UpdateItem"], "times": 1}
    When a client that retries adds 1 to "ann"
    Then it succeeds
    And "ann" has 2

  @SV-F2.token @needs:commands
  Scenario: A retry after a lost response applies a transaction with a token once
    Given the fault {"do": "cut-after-commit", "operations": ["TransactWriteItems"], "times": 1}
    When a client that retries adds 1 to "ann" in a transaction
    Then it succeeds
    And "ann" has 1

  @SV-F2.before @needs:commands
  Scenario: A connection that is cut before the commit changes nothing
    Given the fault {"do": "cut-before-commit", "operations": ["UpdateItem"], "times": 1}
    When 1 is added to "ann"
    Then it gets no response
    When 1 is added to "ann"
    Then it succeeds
    And "ann" has 1

  @SV-F3 @needs:commands
  Scenario: A batch is processed in part, and the rest is sent again
    Given the fault {"do": "unprocessed", "operations": ["BatchWriteItem"], "fraction": 0.5, "times": 1}
    When a batch of 5 accounts is written
    Then 3 items of the batch are unprocessed
    When the unprocessed items are sent again
    Then 0 items of the batch are unprocessed
    And table "accounts" holds 5 items

  @SV-F4.delay @needs:commands
  Scenario: A slow request waits for the clock
    Given the fault {"do": "delay", "operations": ["UpdateItem"], "latency": "1m"}
    When an addition of 1 to "ann" is started
    Then it waits
    When 1 minute passes
    Then it gets a response
    And it succeeds
    And "ann" has 1

  @SV-F4.stale @needs:commands
  Scenario: A read is stale for a second, unless it is consistent
    Given the fault {"do": "stale", "operations": ["GetItem"]}
    When the item {"id": "ann", "has": 1} is put into "accounts"
    And the item {"id": "ann"} of "accounts" is read
    Then there is no such item
    When the item {"id": "ann"} of "accounts" is read consistently
    Then it is {"id": "ann", "has": 1}
    When 1 second passes
    And the item {"id": "ann"} of "accounts" is read
    Then it is {"id": "ann", "has": 1}

  @SV-F4.stale @needs:commands
  Scenario: In a batch, only eventually consistent reads are stale
    Given a table "audit" with the key "id"
    And the fault {"do": "stale", "operations": ["BatchGetItem"]}
    When the item {"id": "ann", "of": "accounts"} is put into "accounts"
    And the item {"id": "ann", "of": "audit"} is put into "audit"
    And in one batch the item {"id": "ann"} is read from "accounts" consistently, and from "audit" eventually consistently
    Then the items found are:
      | of       |
      | accounts |
    When 1 second passes
    And in one batch the item {"id": "ann"} is read from "accounts" consistently, and from "audit" eventually consistently
    Then 2 items are found

  @SV-F5.subject @needs:commands
  Scenario: A fault can apply to one item and one caller
    Given the fault {"do": "throttle", "tables": ["*accounts"], "partitionKey": "ann", "identities": ["eve"]}
    When "eve" adds 1 to "ann"
    Then it is refused with ThrottlingException
    When "eve" adds 1 to "bob"
    Then it succeeds
    When "dan" adds 1 to "ann"
    Then it succeeds

  @SV-F5.window @needs:commands
  Scenario: A fault lasts for its duration
    Given the fault {"do": "throttle", "operations": ["UpdateItem"], "for": "10m"}
    When 1 is added to "ann"
    Then it is refused with ThrottlingException
    When 10 minutes pass
    And 1 is added to "ann"
    Then it succeeds

  @SV-F5.subject @needs:commands
  Scenario: A fault applies to one table, not to others with similar names
    Given a table "accounts-archive" with the key "id"
    And the fault {"do": "throttle", "operations": ["UpdateItem", "PutItem"], "tables": ["*accounts"]}
    When 1 is added to "ann"
    Then it is refused with ThrottlingException
    When the item {"id": "ann"} is put into "accounts-archive"
    Then it succeeds

  @SV-F6.counted @SV-F6.ended @needs:commands
  Scenario: Faults are listed and removed
    Given the fault {"name": "busy", "do": "throttle", "operations": ["UpdateItem"], "skip": 1}
    When 1 is added to "ann" 3 times
    Then 2 of them are refused with ThrottlingException
    When GET /_tabletop/faults is sent
    Then the emulator responds with 200 and shows ""matched":3,"hits":2"
    When DELETE /_tabletop/faults/busy is sent
    And 1 is added to "ann"
    Then it succeeds

  @SV-F6.refused @needs:commands
  Scenario: An invalid fault is refused with an explanation
    When POST /_tabletop/faults is sent with {"do": "throttle", "ever": 3}
    Then the emulator responds with 422 and shows "body.ever"
    When POST /_tabletop/faults is sent with {"do": "delay"}
    Then the emulator responds with 422 and shows "latency is missing"
