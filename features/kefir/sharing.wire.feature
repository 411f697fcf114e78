Feature: What is mine is mine, unless I share it, on the wire
  What the service asks of its store for this, what the store holds then, and what HTTP answers.

  Background:
    Given "ana" has started the batch "ginger"

  @KF-R8.private
  Scenario: A private batch is as absent to the public as one that there never was
    When somebody without a token sends GET /public/batches/no-such-batch
    Then it is not found
    Given that answer is remembered
    When anybody reads the public batch "ginger"
    Then the answer is the remembered one, to the byte

  @KF-R8.access @KF-R8.others
  Scenario: Its events and reminders are never public
    Given "ana" changes "ginger" to {"isPublic": true}
    When somebody without a token sends GET /batches/{ginger}/timeline
    Then the answer is 401
    When "bob" sends GET /batches/{ginger}/timeline
    Then it is not found

  @KF-R8.private @needs:commands
  Scenario: A batch made private is so at once, though the index still shows it public
    Given the index lags behind the table
    And "ana" starts the batch "figs"
    And "ana" changes "figs" to {"isPublic": true}
    And 10 seconds pass
    And anybody reads the public batch "figs"
    And the answer is 200
    When "ana" changes "figs" to {"isPublic": false}
    And anybody reads the public batch "figs"
    Then it is not found

  @KF-R8.others
  Scenario Outline: Another person's batch is as absent as an unknown one: <request>
    Given "ana" has set the reminder "bottling" on "ginger" in 2 hours
    When "bob" sends <method> /batches/no-such-batch<rest> with <body>
    Then it is not found
    Given that answer is remembered
    When "bob" sends <method> /batches/{ginger}<rest> with <body>
    Then the answer is the remembered one, to the byte
    And table "kefir-app-dev-table" holds 2 items
    And the item of "kefir-app-dev-table" where "PK = 'USER#ana' AND SK = 'BATCH#{ginger}'" has:
      | status | 'active' |
      | stage  | 1        |
    And the item of "kefir-app-dev-table" where "PK = 'BATCH#{ginger}' AND SK = 'REMINDER#{bottling}'" has:
      | status | 'pending' |

    Examples:
      | request            | method | rest                            | body                                                                                  |
      | look               | GET    |                                 |                                                                                       |
      | change             | PATCH  |                                 | {"isPublic": true}                                                                    |
      | bottle             | POST   | /stage                          | {"stage": 2, "bottleCount": 3, "bottleVolumeMl": 330, "targetHoursStage2": 24}        |
      | put to a status    | POST   | /status                         | {"status": "archived"}                                                                |
      | look at all of it  | GET    | /timeline                       |                                                                                       |
      | list its events    | GET    | /events                         |                                                                                       |
      | add an event       | POST   | /events                         | {"type": "note", "note": "mine"}                                                      |
      | list its reminders | GET    | /reminders                      |                                                                                       |
      | set a reminder     | POST   | /reminders                      | {"message": "mine", "dueAt": "{due bottling}"}                                  |
      | cancel a reminder  | POST   | /reminders/{bottling}/cancel   |                                                                                       |

  @KF-R8.access
  Scenario Outline: Data is refused with <credential>
    When the batches are asked for with <credential>
    Then the answer is 401
    And the store was asked for nothing
    And the answer does not show "ana"

    Examples:
      | credential           |
      | no token             |
      | an expired token     |
      | a forged token       |
      | an unsigned token    |
      | the operator's token |

  @KF-R8.access
  Scenario Outline: All users' batches are refused with <credential>
    When all users' batches are asked for with <credential>
    Then the answer is 401
    And the store was asked for nothing

    Examples:
      | credential     |
      | no token       |
      | a user's token |
      | a forged token |
