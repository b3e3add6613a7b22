CREATE TABLE tokens (
	digest VARCHAR(64) NOT NULL, 
	account VARCHAR(64) NOT NULL, 
	scopes TEXT NOT NULL, 
	PRIMARY KEY (digest)
);
CREATE TABLE messages (
	account VARCHAR(64) NOT NULL, 
	id VARCHAR(64) NOT NULL, 
	asked TEXT NOT NULL, 
	"to" VARCHAR(16) NOT NULL, 
	channel VARCHAR(16) NOT NULL, 
	sent_as VARCHAR(16), 
	encoding VARCHAR(16), 
	segments INTEGER NOT NULL, 
	status VARCHAR(16) NOT NULL, 
	carrier_status VARCHAR(16), 
	error_code VARCHAR(64), 
	created_at BIGINT NOT NULL, 
	sent_at BIGINT, 
	finished_at BIGINT, 
	PRIMARY KEY (account, id)
);
CREATE INDEX messages_newest_first ON messages (account, created_at, id);
CREATE TABLE message_reports (
	account VARCHAR(64) NOT NULL, 
	message_id VARCHAR(64) NOT NULL, 
	number INTEGER NOT NULL, 
	at BIGINT NOT NULL, 
	happened_at BIGINT NOT NULL, 
	status VARCHAR(16) NOT NULL, 
	carrier_status VARCHAR(16), 
	error_code VARCHAR(64), 
	sent_as VARCHAR(16) NOT NULL, 
	is_receipt BOOLEAN NOT NULL, 
	PRIMARY KEY (account, message_id, number)
);
CREATE INDEX message_reports_due ON message_reports (at);
CREATE TABLE idempotency (
	account VARCHAR(64) NOT NULL, 
	operation VARCHAR(128) NOT NULL, 
	"key" VARCHAR(128) NOT NULL, 
	fingerprint VARCHAR(64) NOT NULL, 
	status INTEGER NOT NULL, 
	subject VARCHAR(64), 
	body TEXT, 
	expires_at BIGINT NOT NULL, 
	PRIMARY KEY (account, operation, "key")
);
CREATE INDEX idempotency_expiry ON idempotency (expires_at);
CREATE INDEX idempotency_by_subject ON idempotency (account, subject);
CREATE TABLE events (
	account VARCHAR(64) NOT NULL, 
	id VARCHAR(64) NOT NULL, 
	subject VARCHAR(64) NOT NULL, 
	type VARCHAR(64) NOT NULL, 
	body TEXT NOT NULL, 
	created_at BIGINT NOT NULL, 
	PRIMARY KEY (account, id)
);
CREATE INDEX events_by_time ON events (account, created_at, id);
CREATE TABLE deliveries (
	account VARCHAR(64) NOT NULL, 
	event_id VARCHAR(64) NOT NULL, 
	endpoint_id VARCHAR(64) NOT NULL, 
	state VARCHAR(16) NOT NULL, 
	attempts INTEGER NOT NULL, 
	attempts_before INTEGER NOT NULL, 
	replays INTEGER NOT NULL, 
	due_at BIGINT, 
	PRIMARY KEY (account, event_id, endpoint_id)
);
CREATE INDEX deliveries_to_send ON deliveries (account, endpoint_id, due_at);
CREATE TABLE attempts (
	account VARCHAR(64) NOT NULL, 
	event_id VARCHAR(64) NOT NULL, 
	endpoint_id VARCHAR(64) NOT NULL, 
	number INTEGER NOT NULL, 
	at BIGINT NOT NULL, 
	url TEXT NOT NULL, 
	status INTEGER, 
	error TEXT, 
	duration_ms INTEGER NOT NULL, 
	PRIMARY KEY (account, event_id, endpoint_id, number)
);
CREATE TABLE webhook_endpoints (
	account VARCHAR(64) NOT NULL, 
	id VARCHAR(64) NOT NULL, 
	url TEXT NOT NULL, 
	event_types TEXT NOT NULL, 
	description TEXT, 
	disabled_reason VARCHAR(16), 
	secret TEXT NOT NULL, 
	previous_secret TEXT, 
	previous_expires_at BIGINT, 
	created_at BIGINT NOT NULL, 
	updated_at BIGINT NOT NULL, 
	PRIMARY KEY (account, id)
);
CREATE INDEX webhook_endpoints_by_time ON webhook_endpoints (account, created_at, id);
CREATE TABLE rate_audit (
	id VARCHAR(64) NOT NULL, 
	at BIGINT NOT NULL, 
	actor VARCHAR(80) NOT NULL, 
	role VARCHAR(16) NOT NULL, 
	action VARCHAR(16) NOT NULL, 
	record VARCHAR(100) NOT NULL, 
	from_state VARCHAR(16), 
	to_state VARCHAR(16) NOT NULL, 
	reason TEXT NOT NULL, 
	content_sha256 VARCHAR(64) NOT NULL, 
	previous_sha256 VARCHAR(64) NOT NULL, 
	sha256 VARCHAR(64) NOT NULL, 
	PRIMARY KEY (id)
);
CREATE INDEX ix_rate_audit_record ON rate_audit (record);
CREATE TABLE rate_versions (
	id VARCHAR(64) NOT NULL, 
	record VARCHAR(100) NOT NULL, 
	rate_id VARCHAR(80) NOT NULL, 
	version INTEGER NOT NULL, 
	country VARCHAR(2) NOT NULL, 
	status VARCHAR(16) NOT NULL, 
	terms TEXT NOT NULL, 
	content_sha256 VARCHAR(64) NOT NULL, 
	created_at BIGINT NOT NULL, 
	created_by VARCHAR(80) NOT NULL, 
	approved_at BIGINT, 
	approved_by VARCHAR(80), 
	PRIMARY KEY (id), 
	UNIQUE (record)
);
CREATE INDEX ix_rate_versions_rate_id ON rate_versions (rate_id);
CREATE INDEX ix_rate_versions_status ON rate_versions (status);
CREATE TABLE calls (
	account VARCHAR(64) NOT NULL, 
	id VARCHAR(64) NOT NULL, 
	direction VARCHAR(16) NOT NULL, 
	"from" VARCHAR(16) NOT NULL, 
	"to" VARCHAR(16) NOT NULL, 
	status VARCHAR(16) NOT NULL, 
	reference VARCHAR(64), 
	answered_by VARCHAR(16), 
	created_at BIGINT NOT NULL, 
	answered_at BIGINT, 
	ended_at BIGINT, 
	duration_s INTEGER, 
	billed_s INTEGER, 
	end_cause VARCHAR(32), 
	sip_code INTEGER, 
	request TEXT, 
	sequence INTEGER NOT NULL, 
	pace_us BIGINT NOT NULL, 
	due_at BIGINT, 
	PRIMARY KEY (account, id)
);
CREATE INDEX calls_by_age ON calls (account, created_at);
CREATE INDEX calls_due ON calls (due_at);
CREATE TABLE numbers (
	account VARCHAR(64) NOT NULL, 
	id VARCHAR(64) NOT NULL, 
	number VARCHAR(16) NOT NULL, 
	country VARCHAR(2) NOT NULL, 
	region VARCHAR(6), 
	type VARCHAR(16) NOT NULL, 
	features VARCHAR(64) NOT NULL, 
	created_at BIGINT NOT NULL, 
	PRIMARY KEY (account, id), 
	UNIQUE (account, number)
);
CREATE TABLE available_numbers (
	number VARCHAR(16) NOT NULL, 
	country VARCHAR(2) NOT NULL, 
	region VARCHAR(6), 
	type VARCHAR(16) NOT NULL, 
	features VARCHAR(64) NOT NULL, 
	offered_at BIGINT NOT NULL, 
	PRIMARY KEY (number)
);
CREATE INDEX available_numbers_by_country ON available_numbers (country, offered_at);
CREATE TABLE brands (
	account VARCHAR(64) NOT NULL, 
	id VARCHAR(64) NOT NULL, 
	registered TEXT NOT NULL, 
	status VARCHAR(16) NOT NULL, 
	decision VARCHAR(16) NOT NULL, 
	reason VARCHAR(64), 
	later VARCHAR(16), 
	created_at BIGINT NOT NULL, 
	decided_at BIGINT, 
	due_at BIGINT, 
	PRIMARY KEY (account, id)
);
CREATE INDEX brands_to_decide ON brands (due_at);
CREATE TABLE campaigns (
	account VARCHAR(64) NOT NULL, 
	id VARCHAR(64) NOT NULL, 
	brand_id VARCHAR(64) NOT NULL, 
	registered TEXT NOT NULL, 
	status VARCHAR(16) NOT NULL, 
	decision VARCHAR(16) NOT NULL, 
	reason VARCHAR(64), 
	later VARCHAR(16), 
	created_at BIGINT NOT NULL, 
	decided_at BIGINT, 
	due_at BIGINT, 
	PRIMARY KEY (account, id)
);
CREATE INDEX campaigns_to_decide ON campaigns (due_at);
CREATE INDEX campaigns_of_brand ON campaigns (account, brand_id);
INSERT INTO tokens VALUES ('8d2e', 'ada', 'messages:read');
INSERT INTO messages VALUES
	('ada', 'msg_1', '{"to": "+12025550123", "channel": "sms", "body": "Grüße"}', '+12025550123', 'sms', 'sms',
	'gsm7', 1, 'delivered', 'delivered', NULL, 1795253400000000, 1795253401000000, 1795253402000000),
	('ada', 'msg_2', '{"to": "+12025550124", "channel": "sms", "body": "Hello"}', '+12025550124', 'sms', NULL,
	'gsm7', 1, 'queued', NULL, NULL, 1795253400000001, NULL, NULL);
INSERT INTO message_reports VALUES
	('ada', 'msg_2', 1, 1795253401000000, 1795253400500000, 'sent', 'accepted', NULL, 'sms', 1);
INSERT INTO events VALUES ('ada', 'evt_1', 'msg_1', 'message.delivered', '{}', 1795253402000000);
PRAGMA user_version = 4;
