Feature: Keys
  A key never leaves KMS: it encrypts small data, such as data keys, and binds each ciphertext to a context. Keys are
  rotated, disabled and deleted by the clock, which also affects the tables that they encrypt.

  @SV-K1.context @needs:commands
  Scenario: A data key is decrypted only with its encryption context
    Given an emulator
    And a key "orders"
    When a data key of "orders" is generated for the context {"tenant": "7"}
    And the data key is decrypted with the context {"tenant": "7"}
    Then the decrypted data key is the original one
    When the data key is decrypted with the context {"tenant": "8"}
    Then it is refused with InvalidCiphertextException
    When the data key is decrypted with the context {}
    Then it is refused with InvalidCiphertextException

  @SV-K1.key @SV-K1.anew @needs:commands
  Scenario: A ciphertext belongs to one key
    Given an emulator
    And a key "orders"
    And a key "invoices"
    When a data key of "orders" is generated for the context {"tenant": "7"}
    And the data key is decrypted by "invoices" with the context {"tenant": "7"}
    Then it is refused with IncorrectKeyException
    When the data key is re-encrypted by "invoices" with the context {"tenant": "7"}
    And the data key is decrypted by "invoices" with the context {"tenant": "7"}
    Then the decrypted data key is the original one

  @SV-K2.schedule @SV-K2.demand @SV-K2.former @needs:commands
  Scenario: A rotated key decrypts older ciphertexts
    Given an emulator
    And a key "orders" that rotates every 90 days
    When a data key of "orders" is generated for the context {"tenant": "7"}
    And 181 days pass
    Then "orders" was rotated 2 times
    When "orders" is rotated on demand
    Then "orders" was rotated 3 times
    When the data key is decrypted with the context {"tenant": "7"}
    Then the decrypted data key is the original one

  @SV-K3.pending @SV-K3.kept @SV-K3.gone @needs:commands
  Scenario: A key is deleted after its waiting period, and its ciphertexts are lost
    Given an emulator
    And a key "orders"
    When a data key of "orders" is generated for the context {"tenant": "7"}
    And the deletion of "orders" is scheduled in 7 days
    And the data key is decrypted with the context {"tenant": "7"}
    Then it is refused with KMSInvalidStateException because "is pending deletion."
    When 6 days pass
    And the deletion of "orders" is cancelled
    And "orders" is enabled
    And the data key is decrypted with the context {"tenant": "7"}
    Then the decrypted data key is the original one
    When the deletion of "orders" is scheduled in 7 days
    And 7 days pass
    And the data key is decrypted with the context {"tenant": "7"}
    Then it is refused with AccessDeniedException because "refers to a customer master key that does not exist"

  @SV-K4.inaccessible @SV-K4.healed @needs:commands
  Scenario: A disabled key makes its table inaccessible until it is enabled again
    Given an emulator
    And a key "orders"
    And a table "orders" that is encrypted by the key "orders"
    And the item {"id": "7"} is put into "orders"
    When "orders" is disabled
    And the item {"id": "7"} of "orders" is read
    Then it is refused with ValidationException because "KMS key disabled error: com.amazonaws.services.kms.model.DisabledException"
    And the table "orders" is INACCESSIBLE_ENCRYPTION_CREDENTIALS
    When "orders" is enabled
    And the item {"id": "7"} of "orders" is read
    Then it has the id "7"
    And the table "orders" is ACTIVE

  @SV-K4.minutes @SV-K4.archived @needs:commands
  Scenario: With cloud behaviours, a table follows its key after minutes and is archived after seven days
    Given an emulator with the cloud behaviour states
    And a key "orders"
    And a table "orders" that is encrypted by the key "orders"
    And 10 seconds pass
    And the item {"id": "7"} is put into "orders"
    When "orders" is disabled
    And 4 minutes pass
    And the item {"id": "7"} of "orders" is read
    Then it has the id "7"
    When 1 minute passes
    And the item {"id": "7"} of "orders" is read
    Then it is refused with ValidationException because "KMS key disabled error"
    And the table "orders" is ACTIVE
    When 25 minutes pass
    Then the table "orders" is INACCESSIBLE_ENCRYPTION_CREDENTIALS
    When 7 days pass
    Then the table "orders" is ARCHIVED

  @SV-K4.refused @needs:commands
  Scenario: A table cannot be created with an unusable key
    Given an emulator
    And a key "orders"
    And "orders" is disabled
    When a table "orders" is created with encryption by the key "orders"
    Then it is refused with ValidationException because "KMS key disabled error"
    When a table "orders" is created with encryption by the key "none"
    Then it is refused with ValidationException because "KMS validation error: com.amazonaws.services.kms.model.NotFoundException: Alias"

  @SV-K5.sealed @needs:commands
  Scenario: An encrypted data folder contains no plaintext
    Given an emulator with an encrypted data folder
    And a key "orders"
    And a table "orders" that is encrypted by the key "orders"
    And the item {"id": "recognisable-id", "note": "recognisable-note"} is put into "orders"
    Then no file of the data folder contains "recognisable"
    When the emulator is stopped
    Then no file of the data folder contains "recognisable"
    When the emulator is started again
    And the item {"id": "recognisable-id"} of "orders" is read
    Then it has the id "recognisable-id"

  @SV-K5.root @needs:commands
  Scenario: An encrypted data folder cannot be opened without its root key
    Given an emulator with a data folder whose root key is stored elsewhere
    And a table "orders" with the key "id"
    And the item {"id": "7"} is put into "orders"
    When the emulator is stopped
    And the root key is lost
    Then the emulator does not start again because "its root key is not at"
    When the root key is restored
    And the emulator is started again
    And the item {"id": "7"} of "orders" is read
    Then it has the id "7"
