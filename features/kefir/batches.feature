Feature: Batches are tracked from the jar to the archive
  A brewer starts a batch, bottles it once, and sets its status: active, in the fridge, ready or archived. Every
  change is recorded, and made once.

  @KF-P2
  Scenario: A user's batches are listed
    Given "ana" has started the batches "figs, ginger, lemon"
    And "bob" has started the batch "plain"
    When "ana" lists all batches
    Then the list is "figs, ginger, lemon" in any order

  @KF-P2
  Scenario: A long list of batches comes in pages, each batch once
    Given "ana" has started 7 batches
    When "ana" lists all batches in pages of 3
    Then the pages have 3, 3 and 1 entries
    And the list has 7 entries, each once

  @KF-P3
  Scenario: A user's active batches are listed
    Given "ana" has started the batches "figs, ginger, lemon"
    And "ana" has moved "ginger" to "in_fridge"
    When "ana" lists the batches that are "active"
    Then the list is "figs, lemon" in any order

  @KF-P4.index
  Scenario: A batch is found by its id alone
    Given "ana" has started the batch "ginger"
    When "ana" looks at "ginger"
    Then the request succeeds
    And the response's "name" is "ginger"

  @KF-P13.user
  Scenario Outline: A user's batches of the status <status> are found
    Given "ana" has started the batches "figs, ginger"
    And "ana" has moved "ginger" to "<status>"
    When "ana" lists the batches that are "<status>"
    Then the list is "ginger"

    Examples:
      | status    |
      | in_fridge |
      | ready     |
      | archived  |

  @KF-P13.all @KF-D1
  Scenario: The operator lists all users' batches of one status, newest first
    Given "ana" has started the batch "figs"
    And "ana" has moved "figs" to "ready"
    And 1 minute passes
    And "bob" has started the batches "plain"
    And "bob" has moved "plain" to "ready"
    And "bob" has started the batch "hibiscus"
    When the operator lists all users' batches that are "ready"
    Then the list is "plain, figs"

  @KF-P13.pages @KF-D1
  Scenario: A long list of one status comes in pages, each batch once
    Given "ana" has started 5 batches
    When the operator lists all users' batches that are "active" in pages of 2
    Then the pages have 2, 2 and 1 entries
    And the list has 5 entries, each once

  @KF-R1.once
  Scenario: Many simultaneous moves to the same status move a batch once
    Given "ana" has started the batch "ginger"
    When "ana" moves "ginger" to "ready" 12 times at once
    And "ana" lists the events of "ginger"
    Then the list is "active to ready"

  @KF-R1.once
  Scenario: Of two simultaneous moves to the same status, one takes effect
    Given "ana" has started the batch "ginger"
    When "ana" moves "ginger" to "ready" while it is moved to "ready"
    Then the request succeeds
    And the response's "status" is "ready"
    When "ana" lists the events of "ginger"
    Then the list is "active to ready"

  @KF-R1.once
  Scenario: A move that another one has overtaken starts from the new status
    Given "ana" has started the batch "ginger"
    When "ana" moves "ginger" to "ready" while it is moved to "in_fridge"
    Then the request succeeds
    When "ana" lists the events of "ginger"
    Then the list is "active to in_fridge, in_fridge to ready" in any order

  @KF-R2.fields
  Scenario: Bottling moves a batch to stage 2 and adds an event
    Given "ana" has started the batch "ginger"
    When 2 days pass
    And "ana" bottles "ginger"
    Then the response's "stage" is "2"
    When "ana" lists the events of "ginger"
    Then the list is "stage 1 to 2"

  @KF-R2.repeat
  Scenario: Bottling a batch again changes nothing
    Given "ana" has started the batch "ginger"
    And "ana" bottles "ginger" in 3 bottles
    When "ana" bottles "ginger" in 9 bottles
    Then the request succeeds
    And the response's "bottleCount" is "3"

  @KF-R2.once
  Scenario: Of two simultaneous bottlings, the first one counts
    Given "ana" has started the batch "ginger"
    When "ana" bottles "ginger" in 3 bottles while it is bottled in 9
    Then the request succeeds
    And the response's "bottleCount" is "9"

  @KF-R3.new
  Scenario: A new batch is active and in stage 1
    When "ana" starts the batch "ginger"
    Then it is created
    And the response's "status" is "active"
    And the response's "stage" is "1"
    And the response's "createdAt" is "{now}"

  @KF-R3.archived
  Scenario: Archiving records the time, and reactivating the batch removes it
    Given "ana" has started the batch "ginger"
    When 5 hours pass
    And "ana" moves "ginger" to "archived"
    Then the response's "archivedAt" is "{now}"
    When "ana" moves "ginger" to "ready"
    Then the response has no "archivedAt"

  @KF-R7.absent
  Scenario: Optional fields that were not set are absent
    When "ana" starts the batch "ginger"
    Then the response has no "publicNote"
