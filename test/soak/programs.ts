import { connect } from '../../infra/ops/connection.ts';
import { givenKey } from '../support/data/given.ts';
import { Account, type Surroundings } from './client/account.ts';
import { Consumer } from './load/consumer.ts';
import { Follower } from './load/follower.ts';
import { type Behaviour, behaviours } from './receivers/behaviours.ts';
import { type Subscriber, subscribe } from './receivers/subscribe.ts';

/** The accounts of a soak, and what runs for them beside the load. */
export interface Programs {
  accounts: readonly Account[];
  /** One for each account. */
  followers: readonly Follower[];
  subscribers: readonly Subscriber[];
  /** Of the outbox. */
  consumer: Consumer;
}

const { healthy, slow, erring, closing } = behaviours;

/** The receivers of each account. */
const receivers: Record<string, readonly Behaviour[]> = {
  'soak-1': [healthy, slow],
  'soak-2': [healthy, erring],
  'soak-3': [closing],
  'soak-4': [],
};

/** Makes the accounts with their keys, and subscribes their receivers. The stack must be running. */
export async function givenPrograms(folder: string, surroundings: Surroundings): Promise<Programs> {
  await connect({ data: folder });
  const accounts = await Promise.all(Object.keys(receivers).map((name) => givenAccount(name, surroundings)));
  const subscribers = await Promise.all(
    accounts.flatMap((account) => (receivers[account.name] ?? []).map((one) => subscribe(account, one))),
  );
  return {
    accounts,
    subscribers,
    followers: accounts.map((account) => new Follower(account)),
    consumer: new Consumer(folder, accounts),
  };
}

async function givenAccount(name: string, surroundings: Surroundings): Promise<Account> {
  const [full, writer, reader] = await Promise.all([
    givenKey(name),
    givenKey(name, ['contacts:read', 'contacts:write']),
    givenKey(name, ['contacts:read']),
  ]);
  return new Account(name, { full: full.text, writer: writer.text, reader: reader.text }, surroundings);
}
