import type { Role } from '../../../eks';
import { documentTables } from '../../parts/document-table';
import { referenceFrom } from '../../parts/references';
import type { ConfigFile } from '../config-file';
import type { ConfigNode } from '../config-node';

const readByCode = (): never => {
  throw new Error('the network is read by code');
};

export const readByTable = documentTables<ConfigNode, ConfigFile, 'eksctl'>('eksctl', {
  cluster: (_block, _key, file) => file.reference,
  // Roles are made by other tools, or by eksctl itself, which then names none.
  role: (block, key) => referenceFrom<Role>(block.child(key).text, 'role'),
  subnet: readByCode,
  subnets: readByCode,
  vpc: readByCode,
  routeTable: readByCode,
  routeTables: readByCode,
});
