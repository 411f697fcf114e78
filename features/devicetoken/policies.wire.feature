Feature: The service has the permissions that its access patterns need
  The service runs only with the document's policy. The bulk cleanup has another one.

  Background:
    Given a store that enforces IAM policies, and the service with its documented policy

  @PE-R6.works @needs:commands
  Scenario: Every access pattern works with the documented policy
    When "ana" registers "anas-phone"
    Then the response is 201
    When "ana" registers "anas-phone" with a new token
    Then the response is 200
    When "ana" opens the app on "anas-phone"
    Then the response is 200
    When "ana" looks at "anas-phone"
    Then the response is 200
    When "ana" lists the phones that get pushes
    Then they are "anas-phone"
    When "ana" logs out on "anas-phone"
    Then the response is 200
    When "ana" deletes "anas-phone"
    Then the response is 204
    Given "ana" has registered 3 phones
    When "ana" deletes all phones
    Then the response is 204
    When the operator sends GET /users/ana/diagnosis
    Then the response is 200
    When the operator sends GET /healthz
    Then the response is 200
    And table "photoeditor-dev-device-tokens" holds no items

  @PE-R6.denied @needs:commands
  Scenario: The service is denied everything else
    Then the service may:
      | PutItem             |
      | GetItem             |
      | UpdateItem          |
      | Query               |
      | DeleteItem          |
      | kms:GenerateDataKey |
      | kms:Decrypt         |
    And the service is refused with AccessDeniedException:
      | Scan                        |
      | BatchWriteItem              |
      | BatchGetItem                |
      | ConditionCheckItem          |
      | PutItem of another table    |
      | GetItem of another table    |
      | UpdateItem of another table |
      | DeleteItem of another table |
      | Query of another table      |
      | Scan of another table       |
      | DescribeTable               |
      | UpdateTable                 |
      | UpdateTimeToLive            |
      | UpdateContinuousBackups     |
      | CreateBackup                |
      | DeleteTable                 |
      | ListTables                  |
      | kms:Encrypt                 |
      | kms:DisableKey              |
      | kms:ScheduleKeyDeletion     |

  @PE-R6.exact @PE-D6 @PE-D8 @needs:commands
  Scenario: The service has exactly the documented policy
    Then the service has one policy, which allows exactly:
      | dynamodb:PutItem    | arn:aws:dynamodb:*:*:table/photoeditor-dev-device-tokens |
      | dynamodb:GetItem    | arn:aws:dynamodb:*:*:table/photoeditor-dev-device-tokens |
      | dynamodb:UpdateItem | arn:aws:dynamodb:*:*:table/photoeditor-dev-device-tokens |
      | dynamodb:DeleteItem | arn:aws:dynamodb:*:*:table/photoeditor-dev-device-tokens |
      | dynamodb:Query      | arn:aws:dynamodb:*:*:table/photoeditor-dev-device-tokens |
      | kms:Decrypt         | arn:aws:kms:*:*:key/*                                    |
      | kms:GenerateDataKey | arn:aws:kms:*:*:key/*                                    |

  @PE-D5.exact @PE-D6 @PE-D8 @needs:commands
  Scenario: The cleanup has one policy, for the documented maintenance and its job table
    Then the cleanup has one policy, which allows exactly:
      | dynamodb:Scan           | arn:aws:dynamodb:*:*:table/photoeditor-dev-device-tokens |
      | dynamodb:BatchWriteItem | arn:aws:dynamodb:*:*:table/photoeditor-dev-device-tokens |
      | dynamodb:DeleteItem     | arn:aws:dynamodb:*:*:table/photoeditor-dev-device-tokens |
      | dynamodb:GetItem        | arn:aws:dynamodb:*:*:table/tabletop-jobs                 |
      | dynamodb:PutItem        | arn:aws:dynamodb:*:*:table/tabletop-jobs                 |
      | dynamodb:Query          | arn:aws:dynamodb:*:*:table/tabletop-jobs                 |
      | kms:Decrypt             | arn:aws:kms:*:*:key/*                                    |
      | kms:GenerateDataKey     | arn:aws:kms:*:*:key/*                                    |

  @PE-D5.denied @PE-D5.role @needs:commands
  Scenario: The documented cleanup is denied to the service and works with its own role
    Given "ana" has registered "anas-phone"
    And "ana" has registered "old-phone"
    And "ana" logs out on "old-phone"
    And 31 days pass
    When the documented cleanup is run as the service
    Then the store refuses it with AccessDeniedException because "dynamodb:Scan"
    And table "photoeditor-dev-device-tokens" holds 2 items
    When the documented cleanup is run as the cleanup
    Then table "photoeditor-dev-device-tokens" holds 1 item
    And there is no item of "photoeditor-dev-device-tokens" where "userId = 'ana' AND deviceId = 'old-phone'"

  @PE-D5.role @needs:commands
  Scenario: The cleanup job works with the cleanup's role
    Given "ana" has registered "anas-phone"
    And "ana" has registered "old-phone"
    And "ana" logs out on "old-phone"
    And 31 days pass
    When the cleanup job is run as the cleanup
    Then it completes: 1 phone was deleted and 0 were kept
    And table "photoeditor-dev-device-tokens" holds 1 item

  @PE-D5.exact @needs:commands
  Scenario: The cleanup's role is denied the operations of the service
    Then the cleanup is refused with AccessDeniedException:
      | PutItem                 |
      | UpdateItem              |
      | GetItem                 |
      | Query                   |
      | Scan of another table   |
      | UpdateTable             |
      | DeleteTable             |
      | kms:ScheduleKeyDeletion |
