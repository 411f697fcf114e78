Feature: Faults
  What goes wrong in the cloud now and then goes wrong here when it is told to: which requests, how, and how often. Faults are
  set in Go, in a file, by tabletop faults or, as here, over HTTP.

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
  Scenario: A lost answer, and a client that tries again, count an unconditional update twice
    Given the fault {"do": "cut-after-commit", "operations": ["UpdateItem"], "times": 1}
    When a client that tries again adds 1 to "ann"
    Then it succeeds
    And "ann" has 2

  @SV-F2.token @needs:commands
  Scenario: A lost answer does no harm to a transaction with its token
    Given the fault {"do": "cut-after-commit", "operations": ["TransactWriteItems"], "times": 1}
    When a client that tries again adds 1 to "ann" in a transaction
    Then it succeeds
    And "ann" has 1

  @SV-F2.before @needs:commands
  Scenario: A connection that is cut before the commit leaves nothing done
    Given the fault {"do": "cut-before-commit", "operations": ["UpdateItem"], "times": 1}
    When 1 is added to "ann"
    Then it gets no answer
    When 1 is added to "ann"
    Then it succeeds
    And "ann" has 1

  @SV-F3 @needs:commands
  Scenario: A batch is done in part, and what comes back is sent again
    Given the fault {"do": "unprocessed", "operations": ["BatchWriteItem"], "fraction": 0.5, "times": 1}
    When a batch of 5 accounts is written
    Then 3 of the batch are left
    When what is left is put again
    Then 0 of the batch are left
    And table "accounts" holds 5 items

  @SV-F4.delay @needs:commands
  Scenario: A slow request waits for the clock
    Given the fault {"do": "delay", "operations": ["UpdateItem"], "latency": "1m"}
    When an addition of 1 to "ann" is begun
    Then it waits
    When 1 minute passes
    Then it is answered
    And it succeeds
    And "ann" has 1

  @SV-F4.stale @needs:commands
  Scenario: A read is stale for a second, and a consistent one is not
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
  Scenario: Of a batch only what is not read consistently is stale
    Given a table "audit" with the key "id"
    And the fault {"do": "stale", "operations": ["BatchGetItem"]}
    When the item {"id": "ann", "of": "accounts"} is put into "accounts"
    And the item {"id": "ann", "of": "audit"} is put into "audit"
    And in one batch the item {"id": "ann"} is read of "accounts" consistently, and of "audit" not
    Then the items found are:
      | of       |
      | accounts |
    When 1 second passes
    And in one batch the item {"id": "ann"} is read of "accounts" consistently, and of "audit" not
    Then 2 items are found

  @SV-F5.subject @needs:commands
  Scenario: A fault is about one item, and about one who asks
    Given the fault {"do": "throttle", "tables": ["*accounts"], "partitionKey": "ann", "identities": ["eve"]}
    When "eve" adds 1 to "ann"
    Then it is refused with ThrottlingException
    When "eve" adds 1 to "bob"
    Then it succeeds
    When "dan" adds 1 to "ann"
    Then it succeeds

  @SV-F5.window @needs:commands
  Scenario: A fault lasts as long as it says
    Given the fault {"do": "throttle", "operations": ["UpdateItem"], "for": "10m"}
    When 1 is added to "ann"
    Then it is refused with ThrottlingException
    When 10 minutes pass
    And 1 is added to "ann"
    Then it succeeds

  @SV-F5.subject @needs:commands
  Scenario: A fault is about one table, and about none that is called like it
    Given a table "accounts-archive" with the key "id"
    And the fault {"do": "throttle", "operations": ["UpdateItem", "PutItem"], "tables": ["*accounts"]}
    When 1 is added to "ann"
    Then it is refused with ThrottlingException
    When the item {"id": "ann"} is put into "accounts-archive"
    Then it succeeds

  @SV-F6.counted @SV-F6.ended @needs:commands
  Scenario: Faults are looked at and ended
    Given the fault {"name": "busy", "do": "throttle", "operations": ["UpdateItem"], "skip": 1}
    When 1 is added to "ann" 3 times
    Then 2 of them are refused with ThrottlingException
    When GET /_tabletop/faults is sent
    Then the emulator answers 200 and says ""matched":3,"hits":2"
    When DELETE /_tabletop/faults/busy is sent
    And 1 is added to "ann"
    Then it succeeds

  @SV-F6.refused @needs:commands
  Scenario: A fault that says nothing sensible is refused in words
    When POST /_tabletop/faults is sent with {"do": "throttle", "ever": 3}
    Then the emulator answers 422 and says "body.ever"
    When POST /_tabletop/faults is sent with {"do": "delay"}
    Then the emulator answers 422 and says "latency is missing"
