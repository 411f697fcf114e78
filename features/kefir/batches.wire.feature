Feature: Batches are followed from the jar to the archive, on the wire
  What the service asks of its store for this, what the store holds then, and what HTTP answers.

  @KF-P2
  Scenario: A user's batches are listed by one query of the user's own items
    Given "ana" has started the batches "figs, ginger, lemon"
    And "bob" has started the batch "plain"
    When "ana" lists all batches
    Then the store was asked for a Query of "kefir-app-dev-table" where "PK = 'USER#ana' AND begins_with(SK, 'BATCH#')"

  @KF-P3
  Scenario: The active batches are the user's batches filtered by their status
    Given "ana" has started the batches "figs, ginger, lemon"
    And "ana" has put "ginger" to "in_fridge"
    When "ana" lists the batches that are "active"
    Then the store was asked for a Query of "kefir-app-dev-table" where "PK = 'USER#ana' AND begins_with(SK, 'BATCH#')", filtered by "status = 'active'"

  @KF-P4.index
  Scenario: A batch is found by its id alone, on the wire
    Given "ana" has started the batch "ginger"
    When "ana" looks at "ginger"
    Then the store was asked, in this order, for:
      | Query of index "GSI1" of "kefir-app-dev-table" where "GSI1PK = 'BATCH#{ginger}'"                       |
      | GetItem of "kefir-app-dev-table" where "PK = 'USER#ana' AND SK = 'BATCH#{ginger}'", consistent         |

  @KF-P4.absent
  Scenario: A batch that was never started is not found
    When "ana" sends GET /batches/no-such-batch
    Then it is not found

  @KF-P4.fresh @needs:commands
  Scenario: A batch can be read and changed at once, though the index does not know it yet
    Given the index lags behind the table
    When "ana" starts the batch "ginger"
    And "ana" looks at "ginger"
    Then the answer's "status" is "active"
    And the index "GSI1" has no entries
    When "ana" puts "ginger" to "ready"
    Then the answer is 200
    When "ana" looks at "ginger"
    Then the answer's "status" is "ready"
    When "ana" notes "fizzy" on "ginger"
    And "ana" looks at the timeline of "ginger"
    Then the answer is 200

  @KF-P13.all @KF-D1
  Scenario: All users' batches of a status come from an index made for that
    Given "ana" has started the batch "figs"
    And "ana" has put "figs" to "ready"
    And 1 minute passes
    And "bob" has started the batches "plain"
    And "bob" has put "plain" to "ready"
    And "bob" has started the batch "hibiscus"
    When the operator lists all users' batches that are "ready"
    Then the store was asked for a Query of index "GSI2" of "kefir-app-dev-table" where "GSI2PK = 'STATUS#ready'", descending
    And the store was never asked for a Scan

  @KF-P13.consistency @needs:commands
  Scenario: A batch that has moved on is not listed by the status that the index still shows
    Given the index lags behind the table
    And "ana" starts the batch "ginger"
    And "ana" starts the batch "figs"
    And 10 seconds pass
    When "ana" puts "ginger" to "ready"
    And the operator lists all users' batches that are "active"
    Then the list is "figs"
    When 10 seconds pass
    And the operator lists all users' batches that are "ready"
    Then the list is "ginger"

  @KF-D7
  Scenario: The batches of all users that have one status share one key of the index
    Given "ana" has started the batch "ginger"
    And "bob" has started the batch "figs"
    Then the item of "kefir-app-dev-table" where "PK = 'USER#ana' AND SK = 'BATCH#{ginger}'" has:
      | GSI2PK | 'STATUS#active' |
    And the item of "kefir-app-dev-table" where "PK = 'USER#bob' AND SK = 'BATCH#{figs}'" has:
      | GSI2PK | 'STATUS#active' |

  @KF-D1
  Scenario: Batches by status as the document has it is refused by the store, for a partition key has no beginnings
    Given "ana" has started the batch "ginger"
    When the store is asked for a Query of index "GSI1" of "kefir-app-dev-table" where "begins_with(GSI1PK, 'BATCH#') AND begins_with(GSI1SK, 'STATUS#active')"
    Then the store refuses it with ValidationException
    When "ana" lists the batches that are "active"
    Then the list is "ginger"
    When the operator lists all users' batches that are "active"
    Then the list is "ginger"

  @KF-R1.event
  Scenario: A change of status moves the batch in the index and tells of it, all in one transaction
    Given "ana" has started the batch "ginger"
    And the item of "kefir-app-dev-table" where "PK = 'USER#ana' AND SK = 'BATCH#{ginger}'" has:
      | GSI1SK | 'STATUS#active#{now}' |
    And this moment is called "start"
    When 3 hours pass
    And "ana" puts "ginger" to "in_fridge"
    Then the answer's "status" is "in_fridge"
    And the store was asked for a transaction of:
      | Update of "kefir-app-dev-table" where "PK = 'USER#ana' AND SK = 'BATCH#{ginger}'", only if "status = 'active'" |
      | Put of "kefir-app-dev-table"                                                                                   |
    And the item of "kefir-app-dev-table" where "PK = 'USER#ana' AND SK = 'BATCH#{ginger}'" has:
      | status    | 'in_fridge' |
      | updatedAt | '{now}'     |
    When "ana" lists the events of "ginger"
    Then the list is "active to in_fridge"

  @KF-R1.index
  Scenario: The index's key has the new status and the time at which the batch was started
    Given "ana" has started the batch "ginger"
    When "ana" puts "ginger" to "ready"
    Then the item of "kefir-app-dev-table" where "PK = 'USER#ana' AND SK = 'BATCH#{ginger}'" has:
      | GSI1PK | 'BATCH#{ginger}'     |
      | GSI1SK | 'STATUS#ready#{now}' |
      | GSI2PK | 'STATUS#ready'       |

  @KF-R1.once
  Scenario: Many who put a batch to the same status at once move it once, on the wire
    Given "ana" has started the batch "ginger"
    When "ana" puts "ginger" to "ready" 12 times at once
    Then all answers are 200

  @KF-R1.once
  Scenario: A change that another one has overtaken goes on from the status that it finds, on the wire
    Given "ana" has started the batch "ginger"
    When "ana" puts "ginger" to "ready", and meanwhile it is put to "in_fridge"
    And "ana" lists the events of "ginger"
    Then the item of "kefir-app-dev-table" where "PK = 'USER#ana' AND SK = 'BATCH#{ginger}'" has:
      | status | 'ready'        |
      | GSI2PK | 'STATUS#ready' |

  @KF-R1.repeat
  Scenario: The status that a batch has already changes nothing
    Given "ana" has started the batch "ginger"
    And "ana" has put "ginger" to "ready"
    When "ana" puts "ginger" to "ready"
    Then the answer is 200
    And the store was never asked for a TransactWriteItems
    And the table holds 1 "EVENT#" items

  @KF-R1.once @needs:commands
  Scenario: A change that the store does and whose answer is lost is done once
    Given "ana" has started the batch "ginger"
    And the next TransactWriteItems of "kefir-app-dev-table" loses its answer
    When "ana" puts "ginger" to "ready"
    Then the answer is 200
    And the table holds 1 "EVENT#" items

  @KF-R2.fields
  Scenario: Bottling moves a batch to stage 2 and tells of it, all in one transaction
    Given "ana" has started the batch "ginger"
    When 2 days pass
    And "ana" bottles "ginger"
    Then the store was asked for a transaction of:
      | Update of "kefir-app-dev-table" where "PK = 'USER#ana' AND SK = 'BATCH#{ginger}'", only if "stage = 1" |
      | Put of "kefir-app-dev-table"                                                                           |
    And the item of "kefir-app-dev-table" where "PK = 'USER#ana' AND SK = 'BATCH#{ginger}'" has:
      | stage              | 2       |
      | bottleCount        | 3       |
      | bottleVolumeMl     | 330     |
      | temperatureCStage2 | 20      |
      | targetHoursStage2  | 24      |
      | startTimeStage2    | '{now}' |

  @KF-R2.repeat
  Scenario: A batch that is bottled already stays as it is, on the wire
    Given "ana" has started the batch "ginger"
    And "ana" bottles "ginger" in 3 bottles
    When "ana" bottles "ginger" in 9 bottles
    Then the store was never asked for a TransactWriteItems
    And the table holds 1 "EVENT#" items

  @KF-R2.once
  Scenario: Many who bottle a batch at once bottle it once
    Given "ana" has started the batch "ginger"
    When "ana" bottles "ginger" 12 times at once
    Then all answers are 200
    And the table holds 1 "EVENT#" items

  @KF-R2.once
  Scenario: A batch that is bottled by somebody else meanwhile stays as that one bottled it, on the wire
    Given "ana" has started the batch "ginger"
    When "ana" bottles "ginger" in 3 bottles, and meanwhile it is bottled in 9
    Then the item of "kefir-app-dev-table" where "PK = 'USER#ana' AND SK = 'BATCH#{ginger}'" has:
      | bottleCount | 9 |
    And the table holds 1 "EVENT#" items

  @KF-R2.early
  Scenario: What belongs to stage 2 cannot be set before
    Given "ana" has started the batch "ginger"
    When "ana" changes "ginger" to {"bottleCount": 3}
    Then the answer is 422
    And the answer names the field "body.bottleCount"

  @KF-R3.archived
  Scenario: Archiving notes when, and a batch that comes back has no such time, on the wire
    Given "ana" has started the batch "ginger"
    When 5 hours pass
    And "ana" puts "ginger" to "archived"
    Then the item of "kefir-app-dev-table" where "PK = 'USER#ana' AND SK = 'BATCH#{ginger}'" has:
      | archivedAt | '{now}' |

  @KF-R3.refused
  Scenario Outline: <what> is refused and nothing is written
    Given "ana" has started the batch "ginger"
    When "ana" sends <request>
    Then the answer is 422
    And the answer names the field "<field>"
    And the store was asked for nothing

    Examples:
      | what                   | request                                                                                                     | field       |
      | an unknown status      | POST /batches/{ginger}/status with {"status": "drunk"}                                                      | body.status |
      | a status in capitals   | POST /batches/{ginger}/status with {"status": "READY"}                                                      | body.status |
      | no status              | POST /batches/{ginger}/status with {"status": null}                                                         | body.status |
      | stage 3                | POST /batches/{ginger}/stage with {"stage": 3, "bottleCount": 3, "bottleVolumeMl": 330, "targetHoursStage2": 24} | body.stage  |
      | the way back to 1      | POST /batches/{ginger}/stage with {"stage": 1, "bottleCount": 3, "bottleVolumeMl": 330, "targetHoursStage2": 24} | body.stage  |
      | a status by a change   | PATCH /batches/{ginger} with {"status": "ready"}                                                            | body.status |
      | a stage by a change    | PATCH /batches/{ginger} with {"stage": 2}                                                                   | body.stage  |
      | a list of such a status | GET /batches?status=drunk                                                                                  | query.status |

  @KF-R7.absent
  Scenario: What is not set is not there, on the wire
    When "ana" starts the batch "ginger"
    Then the item of "kefir-app-dev-table" where "PK = 'USER#ana' AND SK = 'BATCH#{ginger}'" has no "fruits"
    And the item of "kefir-app-dev-table" where "PK = 'USER#ana' AND SK = 'BATCH#{ginger}'" has no "isPublic"
    And the item of "kefir-app-dev-table" where "PK = 'USER#ana' AND SK = 'BATCH#{ginger}'" has no "bottleCount"
    And the item of "kefir-app-dev-table" where "PK = 'USER#ana' AND SK = 'BATCH#{ginger}'" has no "archivedAt"

  @KF-R7.absent
  Scenario: What is taken away is not there any more
    Given "ana" has started the batch "ginger"
    And "ana" changes "ginger" to {"fruits": "2 figs", "publicNote": "try it", "isPublic": true}
    And the item of "kefir-app-dev-table" where "PK = 'USER#ana' AND SK = 'BATCH#{ginger}'" has:
      | fruits   | '2 figs' |
      | isPublic | true     |
    When "ana" changes "ginger" to {"fruits": "", "publicNote": "", "isPublic": false}
    Then the answer is 200
    And the item of "kefir-app-dev-table" where "PK = 'USER#ana' AND SK = 'BATCH#{ginger}'" has no "fruits"
    And the item of "kefir-app-dev-table" where "PK = 'USER#ana' AND SK = 'BATCH#{ginger}'" has no "isPublic"

  @KF-R7.old
  Scenario: A batch from before the optional attributes is read and changed like any other
    Given "ana" has the old batch "first one" in the store, from before the optional attributes
    When "ana" looks at "first one"
    Then the answer's "name" is "first one"
    And the answer has no "fruits"
    When "ana" puts "first one" to "archived"
    Then the answer is 200
    When the operator lists all users' batches that are "archived"
    Then the list is "first one"
