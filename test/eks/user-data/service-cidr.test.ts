import { cidrFamily, serviceCidrProblem } from '../../../lib/eks/user-data/service-cidr';

describe('serviceCidrProblem', () => {
  it.each(['172.20.0.0/16', '10.100.0.0/16', '10.0.16.0/20', '192.168.7.0/24', 'fd00:abcd::/108'])(
    'accepts %s',
    (cidr) => {
      expect(serviceCidrProblem(cidr)).toBeUndefined();
    },
  );

  it.each([
    ['172.20.0.0', 'is no CIDR'],
    ['172.20.0.0/16/16', 'is no CIDR'],
    ['', 'is no CIDR'],
    ['172.20.0/16', 'is no IPv4 CIDR'],
    ['172.20.0.256/16', 'is no IPv4 CIDR'],
    ['172.20.0.0/33', 'is no IPv4 CIDR'],
    ['10.0.3.128/25', 'has a /25 mask'],
    ['10.0.0.0/8', 'has a /8 mask'],
    ['10.100.5.7/16', "doesn't begin at a /16 boundary, so nodes would look for CoreDNS at 10.100.5.10"],
    ['fd00:xyz::/108', 'is no IPv6 CIDR'],
    ['fd00::1/108', 'end in "::"'],
  ])('refuses %p', (cidr, message) => {
    expect(serviceCidrProblem(cidr)).toContain(message);
  });

  it('tells the family', () => {
    expect(cidrFamily('172.20.0.0/16')).toBe('ipv4');
    expect(cidrFamily('fd00::/108')).toBe('ipv6');
  });
});
