Feature: Clients open cases about their customers, on the wire
  The requests that the service sends to its store, the items that the store then holds, and the HTTP responses.

  @VR-P5 @VR-R1.case @VR-D1 @VR-R7.end
  Scenario: A case is opened, on the wire
    When "acme" opens the case "c1"
    Then "{c1}" is ver_ and a UUID of version 4
    And the store received a transaction of:
      | Put of "AuthBridgeTable", only if "attribute_not_exists(PK)" |
      | Put of "AuthBridgeTable", only if "attribute_not_exists(PK)" |
    And the item of "AuthBridgeTable" where "PK = 'CASE#{c1}' AND SK = 'META'" has:
      | verificationId | '{c1}'                 |
      | clientId       | '{client acme}'        |
      | status         | 'created'              |
      | documentType   | 'omang'                |
      | createdAt      | '{now}'                |
      | updatedAt      | '{now}'                |
      | ttl            | {seconds in 30 days}   |
      | GSI1PK         | 'CLIENT#{client acme}' |
      | GSI1SK         | 'created#{now}'        |
      | GSI2SK         | '{now}#{c1}'           |

  @VR-P1
  Scenario: A case is read by its id, on the wire
    Given "acme" has opened the case "c1"
    When "acme" looks at "c1"
    Then the store received a GetItem of "AuthBridgeTable" where "PK = 'CASE#{c1}' AND SK = 'META'", consistent

  @VR-P3.client @VR-R6.lists
  Scenario: A client lists its cases, on the wire
    Given "acme" has opened the case "c1"
    And 1 minute passes
    And "acme" has opened the case "c2"
    And "other" has opened the case "c3"
    When "acme" lists its cases
    Then the store received a Query of index "GSI1" of "AuthBridgeTable" where "GSI1PK = 'CLIENT#{client acme}'", descending

  @VR-P3.status @VR-D3
  Scenario: A client lists its cases of one status, on the wire
    Given the case "c1" of "acme" is documents_uploading
    And "acme" has opened the case "c2"
    When "acme" lists its cases that are "created"
    Then the store received a Query of index "GSI1" of "AuthBridgeTable" where "GSI1PK = 'CLIENT#{client acme}' AND begins_with(GSI1SK, 'created#')", descending

  @VR-D3
  Scenario: Without the #, a status also finds others with the same prefix
    Given "acme" has opened the case "c1"
    And a client sends a PutItem of "AuthBridgeTable" with {"PK": "CASE#x", "SK": "META", "GSI1PK": "CLIENT#{client acme}", "GSI1SK": "created_by_hand#{now}"}
    When a client sends a Query of index "GSI1" of "AuthBridgeTable" where "GSI1PK = 'CLIENT#{client acme}' AND begins_with(GSI1SK, 'created')"
    Then 2 items are found
    When a client sends a Query of index "GSI1" of "AuthBridgeTable" where "GSI1PK = 'CLIENT#{client acme}' AND begins_with(GSI1SK, 'created#')"
    Then 1 item is found

  @VR-P3.pages
  Scenario: A long list comes in pages, each case once, on the wire
    Given "acme" has opened 7 cases a minute apart
    When "acme" lists its cases in pages of 3
    Then the store received 3 requests: Query of index "GSI1" of "AuthBridgeTable" where "GSI1PK = 'CLIENT#{client acme}'", descending, limit 3

  @VR-P4.day @VR-P4.order
  Scenario: Reviewers list the cases of a day from all clients, on the wire
    Given "acme" has opened the case "c1"
    And "other" has opened the case "c2"
    When the reviewer "rita" lists the cases of today in pages of 1
    Then the store received a Query of index "GSI2" of "AuthBridgeTable" where "GSI2PK = 'DATE#{today}'", ascending, limit 1

  @VR-R6.absent @VR-R6.lists
  Scenario: Another client's case looks like one that does not exist, on the wire
    Given "acme" has opened the case "c1"
    When "other" looks at a case that does not exist
    Given that response is remembered
    When "other" looks at "c1"
    Then the response is identical to the remembered one

  @VR-R6.actions
  Scenario Outline: A client cannot operate on another client's case: <request>
    Given the case "c1" of "acme" is documents_complete
    When "other" sends <method> /cases/ver_00000000-0000-4000-8000-000000000000<rest>
    Then it is not found
    Given that response is remembered
    When "other" sends <method> /cases/{c1}<rest>
    Then the response is identical to the remembered one
    And the item of "AuthBridgeTable" where "PK = 'CASE#{c1}' AND SK = 'META'" has:
      | status | 'documents_complete' |

    Examples:
      | request            | method | rest                                                          |
      | its documents      | GET    | /documents                                                    |
      | say it is complete | POST   | /complete                                                     |
      | submit it          | POST   | /submit                                                       |
      | confirm a file     | POST   | /documents/doc_00000000-0000-4000-8000-000000000000/uploaded  |

  @VR-R6.lists
  Scenario: A cursor of another client's list is refused, on the wire
    Given "acme" has opened 2 cases a minute apart
    When "acme" lists its cases in pages of 1
    And "other" continues that list
    Then the response names the field "query.cursor"
    And the store received no Query of "AuthBridgeTable"
