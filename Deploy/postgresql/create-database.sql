-- Run by psql as the superuser, once: a role that may do nothing but own the broker's database, and that database.
\set password `cat /run/secrets/broker-password`
CREATE ROLE broker LOGIN PASSWORD :'password';
CREATE DATABASE broker OWNER broker;
REVOKE CONNECT, TEMPORARY ON DATABASE broker FROM PUBLIC;
