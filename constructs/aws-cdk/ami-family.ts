export { AmiFamily, type OperatingSystem } from '../engine-neutral/ami-family';
